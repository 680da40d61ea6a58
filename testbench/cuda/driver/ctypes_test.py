"""The driver interface as Python packages use it: the library by its name, symbols looked
up one by one, modules from memory. Arguments: the PTX of the runtime's tests, cuda.h."""
import ctypes
import re
import subprocess
import sys
from ctypes import byref, c_int, c_size_t, c_uint, c_uint64, c_void_p

cuda = ctypes.CDLL("libcuda.so.1")


def call(name, *args):
    rc = getattr(cuda, name)(*args)
    if rc != 0:
        text = ctypes.c_char_p()
        cuda.cuGetErrorName(rc, byref(text))
        sys.exit(f"{name}: {text.value.decode()}")


def launches(ptx):
    n = 300
    context, module, kernel = c_void_p(), c_void_p(), c_void_p()
    data = c_uint64()
    host = (c_int * n)(*range(n))
    call("cuInit", 0)
    call("cuDevicePrimaryCtxRetain", byref(context), 0)
    call("cuCtxPushCurrent_v2", context)
    call("cuModuleLoadDataEx", byref(module), ptx, 0, None, None)
    call("cuModuleGetFunction", byref(kernel), module, b"add_kernel")
    call("cuMemAlloc_v2", byref(data), c_size_t(4 * n))
    call("cuMemcpyHtoD_v2", data, host, c_size_t(4 * n))
    x, count = c_int(1000), c_uint(n)
    args = (c_void_p * 3)(*[ctypes.addressof(a) for a in (data, x, count)])
    call("cuLaunchKernel", kernel, 3, 1, 1, 100, 1, 1, 0, None, args, None)
    call("cuMemcpyDtoH_v2", host, data, c_size_t(4 * n))
    assert list(host) == [1000 + i for i in range(n)], list(host)[:8]
    call("cuMemFree_v2", data)
    call("cuCtxPopCurrent_v2", None)
    call("cuDevicePrimaryCtxRelease_v2", 0)


def shares_with_runtime():
    """One object under all names: memory of the runtime is the driver's."""
    runtime = ctypes.CDLL("libcudart.so.12")
    p, base, size = c_void_p(), c_uint64(), c_size_t()
    assert runtime.cudaMalloc(byref(p), c_size_t(500)) == 0
    call("cuMemGetAddressRange_v2", byref(base), byref(size), c_uint64(p.value + 7))
    assert (base.value, size.value) == (p.value, 500), (base.value, size.value)
    version = c_int()
    function = c_void_p()
    assert runtime.cudaGetDriverEntryPoint(b"cuMemAlloc", byref(function), c_uint64(0),
                                           byref(version)) == 0
    assert function.value is not None


def has_all_of(header):
    """What cuda.h declares is there, by its symbol and by its plain name."""
    names = re.findall(r"^CUresult (cu\w+)\(", header, re.M)
    assert len(names) > 120, len(names)
    two_forms = ("cuDeviceGetUuid", "cuEventElapsedTime")
    for name in names:
        by_symbol = ctypes.cast(getattr(cuda, name), c_void_p).value
        for asked in (name, re.sub(r"_v2$", "", name)):
            function = c_void_p()
            call("cuGetProcAddress_v2", asked.encode(), byref(function), 12000,
                 c_uint64(0), None)
            assert function.value, asked
            # one that has both forms, which differ only in what they mean
            assert function.value == by_symbol or asked in two_forms, asked


def refuses_by_name():
    """Packages look these up when they are loaded."""
    for name in ("cuIpcOpenMemHandle_v2", "cuTexRefCreate", "cuArrayCreate_v2"):
        assert getattr(cuda, name)(None, None, None) == 801, name


def refuses_static_runtimes():
    code = ("import ctypes; c = ctypes.CDLL('libcuda.so.1'); t = ctypes.c_void_p();"
            "print([c.cuGetExportTable(ctypes.byref(t), bytes(16)) for i in range(3)])")
    got = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                         check=True)
    assert got.stdout == "[500, 500, 500]\n", got.stdout
    assert got.stderr.count("-cudart shared") == 1, got.stderr


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as f:
        launches(f.read())
    shares_with_runtime()
    with open(sys.argv[2], encoding="utf-8") as f:
        has_all_of(f.read())
    refuses_by_name()
    refuses_static_runtimes()
    print("ok")
