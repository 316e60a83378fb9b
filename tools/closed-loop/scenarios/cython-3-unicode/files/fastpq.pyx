from libc.stdlib cimport qsort, malloc

cdef int compare(const void* a, const void* b):
    return (<int*>a)[0] - (<int*>b)[0]

def sort(long n):
    cdef int* data = <int*>malloc(n * sizeof(int))
    qsort(data, n, sizeof(int), compare)
    return unicode("done")
