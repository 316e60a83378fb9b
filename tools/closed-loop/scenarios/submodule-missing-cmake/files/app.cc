int add(int a, int b);
int main() { return add(2, -2); }
