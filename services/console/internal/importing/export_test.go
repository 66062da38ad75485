package importing

// Pack writes a file as forms carry it.
var Pack = pack
