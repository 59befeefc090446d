// Kernels of a network in training, compiled at run time for the card. T is the type of the maps,
// float or bfloat16 (HALF); sums and weights are float. Maps are [N, H, W, C] with C a multiple of
// 8. A thread computes 8 channels at a time, a group. A block has rows × groups threads, so that a
// thread keeps its group: see PLACE.

typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned char u8;
typedef long long i64;

#ifdef HALF
typedef u16 T;
__device__ float widen(T v) { return __uint_as_float((u32)v << 16); }
__device__ T narrow(float v) {  // to the nearest, ties to even
	u32 bits = __float_as_uint(v);
	if ((bits & 0x7fffffff) > 0x7f800000) return (T)(bits >> 16 | 64);  // NaN
	return (T)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
#else
typedef float T;
__device__ float widen(T v) { return v; }
__device__ T narrow(float v) { return v; }
#endif

struct Eight { float v[8]; };

__device__ Eight load(const T* p) {
	Eight e;
#ifdef HALF
	uint4 q = *(const uint4*)p;
	u32 w[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
	for (int i = 0; i < 4; i++) {
		e.v[2 * i] = __uint_as_float(w[i] << 16);
		e.v[2 * i + 1] = __uint_as_float(w[i] & 0xffff0000);
	}
#else
	float4 a = *(const float4*)p, b = *(const float4*)(p + 4);
	e.v[0] = a.x; e.v[1] = a.y; e.v[2] = a.z; e.v[3] = a.w;
	e.v[4] = b.x; e.v[5] = b.y; e.v[6] = b.z; e.v[7] = b.w;
#endif
	return e;
}

__device__ void store(T* p, const Eight& e) {
#ifdef HALF
	u32 w[4];
#pragma unroll
	for (int i = 0; i < 4; i++) w[i] = narrow(e.v[2 * i]) | (u32)narrow(e.v[2 * i + 1]) << 16;
	*(uint4*)p = make_uint4(w[0], w[1], w[2], w[3]);
#else
	*(float4*)p = make_float4(e.v[0], e.v[1], e.v[2], e.v[3]);
	*(float4*)(p + 4) = make_float4(e.v[4], e.v[5], e.v[6], e.v[7]);
#endif
}

// floats loads the values of a group of channels.
__device__ Eight floats(const float* p, int group) {
	Eight e;
#pragma unroll
	for (int i = 0; i < 8; i++) e.v[i] = p[group * 8 + i];
	return e;
}

#define EACH for (int i = 0; i < 8; i++)

// A thread's group, its first row, and the distance to its next one.
#define PLACE \
	const int group = threadIdx.x % groups, lane = threadIdx.x / groups, lanes = blockDim.x / groups; \
	const i64 first = (i64)blockIdx.x * lanes + lane, step = (i64)gridDim.x * lanes; \
	const int channels = groups * 8

// addUp adds a block's sums [count][8] of each group, and writes them to partial
// [block][count][channels].
template <int count>
__device__ void addUp(float* partial, const Eight* sums, int groups) {
	extern __shared__ float held[];  // [lanes][channels]
	const int group = threadIdx.x % groups, lane = threadIdx.x / groups, lanes = blockDim.x / groups;
	const int channels = groups * 8;
	for (int k = 0; k < count; k++) {
#pragma unroll
		EACH held[lane * channels + group * 8 + i] = sums[k].v[i];
		__syncthreads();
		for (int c = threadIdx.x; c < channels; c += blockDim.x) {
			float sum = 0;
			for (int l = 0; l < lanes; l++) sum += held[l * channels + c];
			partial[((i64)blockIdx.x * count + k) * channels + c] = sum;
		}
		__syncthreads();
	}
}

// Sums of a map's values, and of their squares.
extern "C" __global__ void moments(float* partial, const T* z, i64 rows, int groups) {
	PLACE;
	Eight sums[2] = {};
	for (i64 row = first; row < rows; row += step) {
		Eight a = load(z + row * channels + group * 8);
#pragma unroll
		EACH { sums[0].v[i] += a.v[i]; sums[1].v[i] += a.v[i] * a.v[i]; }
	}
	addUp<2>(partial, sums, groups);
}

// total adds a column of partial sums over all blocks. A block of threads has 32 channels × 8 parts.
__device__ double total(const float* partial, int blocks, int count, int column, int channels) {
	__shared__ double held[8][33];
	const int at = threadIdx.x % 32, part = threadIdx.x / 32, c = blockIdx.x * 32 + at;
	double sum = 0;
	if (c < channels)
		for (int b = part; b < blocks; b += 8) sum += partial[((i64)b * count + column) * channels + c];
	__syncthreads();
	held[part][at] = sum;
	__syncthreads();
	sum = 0;
	for (int p = 0; p < 8; p++) sum += held[p][at];
	return sum;
}

// A normalization's state: mean, 1/σ, scale and shift of the last map, then the slopes a, b and k
// of its gradient, [7][channels].
extern "C" __global__ void statistics(float* state, float* running, const float* weight, const float* bias,
		const float* partial, int blocks, int channels, float count, float momentum, int frozen, float epsilon) {
	double sum = total(partial, blocks, 2, 0, channels), square = total(partial, blocks, 2, 1, channels);
	const int c = blockIdx.x * 32 + threadIdx.x;
	if (threadIdx.x >= 32 || c >= channels) return;
	double mean = sum / count, variance = square / count - mean * mean;
	if (variance < 0) variance = 0;
	if (frozen) {
		mean = running[c];
		variance = running[channels + c];
	} else {
		running[c] += momentum * ((float)mean - running[c]);
		double unbiased = count > 1 ? variance * count / (count - 1.0) : variance;
		running[channels + c] += momentum * ((float)unbiased - running[channels + c]);
	}
	double inverse = rsqrt(variance + epsilon), scale = weight[c] * inverse;
	state[c] = mean;
	state[channels + c] = inverse;
	state[2 * channels + c] = scale;
	state[3 * channels + c] = bias[c] - mean * scale;
}

// Gradients of a normalization's weights, and the slopes of the gradient of its input, from Σ g and
// Σ g·z.
extern "C" __global__ void slopes(float* state, float* dweight, float* dbias, const float* weight, const float* partial,
		int blocks, int columns, int product, int channels, float count, int frozen, int accumulate) {
	double sum = total(partial, blocks, columns, 0, channels), with = total(partial, blocks, columns, product, channels);
	const int c = blockIdx.x * 32 + threadIdx.x;
	if (threadIdx.x >= 32 || c >= channels) return;
	double mean = state[c], inverse = state[channels + c], weighted = (with - mean * sum) * inverse;
	dweight[c] = (accumulate ? dweight[c] : 0) + (float)weighted;
	dbias[c] = (accumulate ? dbias[c] : 0) + (float)sum;
	double a = weight[c] * inverse, b = frozen ? 0 : -a * weighted / count * inverse;
	state[4 * channels + c] = a;
	state[5 * channels + c] = b;
	state[6 * channels + c] = frozen ? 0 : -a * sum / count - b * mean;
}

__device__ float leaky(float v, float slope) { return v > 0 ? v : v * slope; }

extern "C" __global__ void normalize(T* y, const T* z, const float* state, i64 rows, int groups, float slope) {
	PLACE;
	Eight scale = floats(state + 2 * channels, group), shift = floats(state + 3 * channels, group);
	for (i64 row = first; row < rows; row += step) {
		Eight e = load(z + row * channels + group * 8);
#pragma unroll
		EACH e.v[i] = leaky(scale.v[i] * e.v[i] + shift.v[i], slope);
		store(y + row * channels + group * 8, e);
	}
}

// The end of a block. chosen holds, for each pooled value, the number of its pixel (0 to 3) and 4
// if the leaky ReLU has its small slope there; zOf and sOf are the pixel's values of both maps.
extern "C" __global__ void join(T* pooled, u8* chosen, T* zOf, T* sOf, const T* z, const T* s, const float* a, const float* b,
		i64 rows, int groups, int h, int w, float slope) {
	PLACE;
	const int ph = h / 2, pw = w / 2;
	Eight scale = floats(a + 2 * channels, group), shift = floats(a + 3 * channels, group);
	Eight second = floats(b + 2 * channels, group), other = floats(b + 3 * channels, group);
	for (i64 row = first; row < rows; row += step) {
		const int x = row % pw, y = row / pw % ph;
		const i64 n = row / pw / ph, corner = (n * h + 2 * y) * w + 2 * x;
		Eight best, bestZ, bestS;
		u8 which[8];
		for (int p = 0; p < 4; p++) {
			const i64 at = (corner + p / 2 * w + p % 2) * channels + group * 8;
			Eight e = load(z + at), f = load(s + at);
#pragma unroll
			EACH {
				float sum = scale.v[i] * e.v[i] + shift.v[i] + second.v[i] * f.v[i] + other.v[i];
				if (p == 0 || sum > best.v[i]) {
					best.v[i] = sum;
					bestZ.v[i] = e.v[i];
					bestS.v[i] = f.v[i];
					which[i] = p;
				}
			}
		}
		const i64 at = row * channels + group * 8;
#pragma unroll
		EACH {
			if (!(best.v[i] > 0)) which[i] |= 4;
			best.v[i] = leaky(best.v[i], slope);
		}
		store(pooled + at, best);
		store(zOf + at, bestZ);
		store(sOf + at, bestS);
		u32 words[2] = {};
#pragma unroll
		EACH words[i / 4] |= (u32)which[i] << i % 4 * 8;
		*(uint2*)(chosen + at) = make_uint2(words[0], words[1]);
	}
}

struct Choice { u8 v[8]; };

__device__ Choice choice(const u8* p) {
	uint2 words = *(const uint2*)p;
	Choice c;
#pragma unroll
	EACH c.v[i] = (i < 4 ? words.x : words.y) >> i % 4 * 8;
	return c;
}

// Sums for both normalizations that a block ends with: Σ g, Σ g·z and Σ g·s.
extern "C" __global__ void splitMoments(float* partial, const T* dpooled, const u8* chosen, const T* zOf, const T* sOf,
		i64 rows, int groups, float slope) {
	PLACE;
	Eight sums[3] = {};
	for (i64 row = first; row < rows; row += step) {
		const i64 at = row * channels + group * 8;
		Eight g = load(dpooled + at), e = load(zOf + at), f = load(sOf + at);
		Choice c = choice(chosen + at);
#pragma unroll
		EACH {
			float v = c.v[i] & 4 ? g.v[i] * slope : g.v[i];
			sums[0].v[i] += v;
			sums[1].v[i] += v * e.v[i];
			sums[2].v[i] += v * f.v[i];
		}
	}
	addUp<3>(partial, sums, groups);
}

// The gradients of both maps that a block joins, from the gradient of its pooled output. rows counts
// windows of 2×2 pixels, with those that the pool drops at an odd edge.
extern "C" __global__ void split(T* dz, T* ds, const T* dpooled, const u8* chosen, const T* z, const T* s, const float* a, const float* b,
		i64 rows, int groups, int h, int w, float slope) {
	PLACE;
	const int down = (h + 1) / 2, across = (w + 1) / 2, ph = h / 2, pw = w / 2;
	Eight za = floats(a + 4 * channels, group), zb = floats(a + 5 * channels, group), zk = floats(a + 6 * channels, group);
	Eight sa = floats(b + 4 * channels, group), sb = floats(b + 5 * channels, group), sk = floats(b + 6 * channels, group);
	for (i64 row = first; row < rows; row += step) {
		const int x = row % across, y = row / across % down;
		const i64 n = row / across / down, corner = (n * h + 2 * y) * w + 2 * x;
		Eight g = {};
		Choice c = {};
		if (x < pw && y < ph) {
			const i64 at = ((n * ph + y) * pw + x) * channels + group * 8;
			g = load(dpooled + at);
			c = choice(chosen + at);
#pragma unroll
			EACH if (c.v[i] & 4) g.v[i] *= slope;
		}
		for (int p = 0; p < 4; p++) {
			if (2 * y + p / 2 >= h || 2 * x + p % 2 >= w) continue;
			const i64 at = (corner + p / 2 * w + p % 2) * channels + group * 8;
			Eight e = load(z + at), f = load(s + at);
#pragma unroll
			EACH {
				float v = (c.v[i] & 3) == p ? g.v[i] : 0;
				e.v[i] = za.v[i] * v + zb.v[i] * e.v[i] + zk.v[i];
				f.v[i] = sa.v[i] * v + sb.v[i] * f.v[i] + sk.v[i];
			}
			store(dz + at, e);
			store(ds + at, f);
		}
	}
}

// unleak takes a gradient back through the leaky ReLU of a normalized value.
__device__ float unleak(float g, float scaled, float slope) { return scaled > 0 ? g : g * slope; }

// Sums for a normalization followed by a leaky ReLU: Σ g and Σ g·z.
extern "C" __global__ void descendMoments(float* partial, const T* g, const T* z, const float* state, i64 rows, int groups, float slope) {
	PLACE;
	Eight scale = floats(state + 2 * channels, group), shift = floats(state + 3 * channels, group);
	Eight sums[2] = {};
	for (i64 row = first; row < rows; row += step) {
		const i64 at = row * channels + group * 8;
		Eight d = load(g + at), e = load(z + at);
#pragma unroll
		EACH {
			float v = unleak(d.v[i], scale.v[i] * e.v[i] + shift.v[i], slope);
			sums[0].v[i] += v;
			sums[1].v[i] += v * e.v[i];
		}
	}
	addUp<2>(partial, sums, groups);
}

// The gradient of a normalization's input, in place of the gradient of the leaky ReLU's output.
extern "C" __global__ void descend(T* g, const T* z, const float* state, i64 rows, int groups, float slope) {
	PLACE;
	Eight scale = floats(state + 2 * channels, group), shift = floats(state + 3 * channels, group);
	Eight a = floats(state + 4 * channels, group), b = floats(state + 5 * channels, group), k = floats(state + 6 * channels, group);
	for (i64 row = first; row < rows; row += step) {
		const i64 at = row * channels + group * 8;
		Eight d = load(g + at), e = load(z + at);
#pragma unroll
		EACH d.v[i] = a.v[i] * unleak(d.v[i], scale.v[i] * e.v[i] + shift.v[i], slope) + b.v[i] * e.v[i] + k.v[i];
		store(g + at, d);
	}
}

// Blends every image with a partner. Images have size groups of 8 values.
extern "C" __global__ void blend(T* out, const T* in, const int* partners, i64 size, i64 all, float share) {
	for (i64 at = (i64)blockIdx.x * blockDim.x + threadIdx.x; at < all; at += (i64)gridDim.x * blockDim.x) {
		const i64 image = at / size;
		Eight a = load(in + at * 8), b = load(in + (partners[image] * size + at - image * size) * 8);
#pragma unroll
		EACH a.v[i] = share * a.v[i] + (1 - share) * b.v[i];
		store(out + at * 8, a);
	}
}

// Converts rows of floats to a map whose rows are padded with zeros, and back.
extern "C" __global__ void fromFloats(T* out, const float* in, i64 rows, int channels, int padded) {
	for (i64 at = (i64)blockIdx.x * blockDim.x + threadIdx.x; at < rows * padded; at += (i64)gridDim.x * blockDim.x) {
		const i64 row = at / padded;
		const int c = at - row * padded;
		out[at] = c < channels ? narrow(in[row * channels + c]) : narrow(0);
	}
}

extern "C" __global__ void toFloats(float* out, const T* in, i64 rows, int channels, int padded) {
	for (i64 at = (i64)blockIdx.x * blockDim.x + threadIdx.x; at < rows * channels; at += (i64)gridDim.x * blockDim.x) {
		const i64 row = at / channels;
		out[at] = widen(in[row * padded + at - row * channels]);
	}
}

// The mean of each image's pixels, and its backward pass.
extern "C" __global__ void meanPool(T* mean, const T* in, int pixels, i64 all, int channels) {
	for (i64 at = (i64)blockIdx.x * blockDim.x + threadIdx.x; at < all; at += (i64)gridDim.x * blockDim.x) {
		const i64 image = at / channels;
		float sum = 0;
		for (int p = 0; p < pixels; p++) sum += widen(in[(image * (pixels - 1) + p) * channels + at]);
		mean[at] = narrow(sum / pixels);
	}
}

extern "C" __global__ void spread(T* din, const T* dmean, int pixels, i64 all, int channels) {
	for (i64 at = (i64)blockIdx.x * blockDim.x + threadIdx.x; at < all; at += (i64)gridDim.x * blockDim.x) {
		const i64 image = at / channels;
		const T share = narrow(widen(dmean[at]) / pixels);
		for (int p = 0; p < pixels; p++) din[(image * (pixels - 1) + p) * channels + at] = share;
	}
}

// Sets the gradient of weights, or adds to it.
extern "C" __global__ void gather(float* gradient, const T* in, i64 n, int accumulate) {
	for (i64 at = (i64)blockIdx.x * blockDim.x + threadIdx.x; at < n; at += (i64)gridDim.x * blockDim.x)
		gradient[at] = (accumulate ? gradient[at] : 0) + widen(in[at]);
}

// Stochastic gradient descent: see backbone.SGD. copy holds the weights in the type of the maps,
// and may be 0.
extern "C" __global__ void sgd(float* value, T* copy, const float* gradient, float* velocity, i64 n,
		float rate, float scale, float momentum, float decay, int nesterov) {
	for (i64 at = (i64)blockIdx.x * blockDim.x + threadIdx.x; at < n; at += (i64)gridDim.x * blockDim.x) {
		float w = value[at], g = gradient[at] * scale + decay * w, v = momentum * velocity[at] + g;
		velocity[at] = v;
		w -= rate * (nesterov ? g + momentum * v : v);
		value[at] = w;
		if (copy) copy[at] = narrow(w);
	}
}

extern "C" __global__ void average(float* averages, const float* value, i64 n, float keep) {
	for (i64 at = (i64)blockIdx.x * blockDim.x + threadIdx.x; at < n; at += (i64)gridDim.x * blockDim.x)
		averages[at] += (1 - keep) * (value[at] - averages[at]);
}

// A sum of squares for each block of 256 threads.
extern "C" __global__ void squares(double* partial, const float* values, i64 n) {
	__shared__ double held[256];
	double sum = 0;
	for (i64 at = (i64)blockIdx.x * 256 + threadIdx.x; at < n; at += (i64)gridDim.x * 256) sum += (double)values[at] * values[at];
	held[threadIdx.x] = sum;
	__syncthreads();
	for (int half = 128; half > 0; half /= 2) {
		if (threadIdx.x < half) held[threadIdx.x] += held[threadIdx.x + half];
		__syncthreads();
	}
	if (threadIdx.x == 0) partial[blockIdx.x] = held[0];
}
