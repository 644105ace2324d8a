# The checks of a kernel's public functions on their arrays. Memoryviews refuse a wrong type.

cdef inline int shaped(bint fits, str wanted) except -1:
    """Raise ValueError if arrays do not have the shapes that the function states."""
    if not fits:
        raise ValueError(f"arrays of another shape: {wanted}")
    return 0


cdef inline int sized(str name, const Py_ssize_t* shape, tuple wanted) except -1:
    """Raise ValueError if an array does not have the wanted shape, in which None is any length."""
    cdef list given = [shape[axis] for axis in range(len(wanted))]
    for length, other in zip(given, wanted):
        if other is not None and length != other:
            raise ValueError(f"arrays of another shape: {name} has {given}, not {list(wanted)}")
    return 0


cdef inline int within(Py_ssize_t start, Py_ssize_t stop, Py_ssize_t most, str what) except -1:
    """Raise ValueError if [start, stop) is not part of [0, most)."""
    if not 0 <= start <= stop <= most:
        raise ValueError(f"{what} {start} to {stop} are not among {most}")
    return 0
