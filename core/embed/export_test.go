package embed

// AspectOf exports aspectOf, which tests compare with an independent implementation.
var AspectOf = aspectOf
