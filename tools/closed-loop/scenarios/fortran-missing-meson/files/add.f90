function add_numbers(a, b) bind(c, name="add_numbers") result(c)
  use iso_c_binding
  integer(c_long), value :: a, b
  integer(c_long) :: c
  c = a + b
end function
