// Nothing: the object that the precompiled headers of the tests belong to (CMakeLists.txt).
