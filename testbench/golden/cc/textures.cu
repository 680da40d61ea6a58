/* Fetches through texture objects, reads and writes through surface objects. */
__global__ void fetch(float *p, cudaTextureObject_t t, float x)
{
    float4 v = tex2D<float4>(t, x, x + 1);
    uchar4 bytes;

    tex1D(&bytes, t, x);
    p[0] = v.x + v.w + tex1Dfetch<float>(t, 3) + tex3D<float>(t, x, x, x);
    p[1] = tex2DLayered<float>(t, x, x, 2) + tex1DLayered<float2>(t, x, 1).y;
    p[2] = (float)tex1Dfetch<int2>(t, 1).y + tex2DLod<float>(t, x, x, 1) + bytes.z;
    p[3] = texCubemap<float>(t, x, x, x);
}

__global__ void surfaces(float *p, cudaSurfaceObject_t s, int x)
{
    uchar4 v;

    surf2Dread(&v, s, x, 1);
    surf2Dwrite(v, s, x, 2, cudaBoundaryModeClamp);
    surf1Dwrite(1.0f, s, x);
    surf3Dwrite(make_float4(1, 2, 3, 4), s, x, 1, 2, cudaBoundaryModeZero);
    surf2DLayeredwrite((short)3, s, x, 1, 2);
    p[0] = surf1Dread<double>(s, x) + surf3Dread<unsigned char>(s, x, 1, 2);
}
