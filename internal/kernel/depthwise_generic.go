package kernel

import "unsafe"

func genericDepthwise(dst, src, w, bias *float32, taps []Tap, c int) {
	out := unsafe.Slice(dst, c)
	copy(out, unsafe.Slice(bias, c))
	for _, t := range taps {
		pixel := unsafe.Slice((*float32)(unsafe.Add(unsafe.Pointer(src), t.Offset*4)), c)
		weights := unsafe.Slice((*float32)(unsafe.Add(unsafe.Pointer(w), t.Number*c*4)), c)
		for i, v := range pixel {
			out[i] += v * weights[i]
		}
	}
}

func genericDepthwiseRow(dst, top, middle, bottom, w, bias *float32, width, stride, c int, least, most float32) {
	out, weights := unsafe.Slice(dst, (width+stride-1)/stride*c), unsafe.Slice(w, 9*c)
	rows := [][]float32{unsafe.Slice(top, width*c), unsafe.Slice(middle, width*c), unsafe.Slice(bottom, width*c)}
	for at := range out {
		center, ch := at/c*stride, at%c
		sum := unsafe.Slice(bias, c)[ch]
		for ky, row := range rows {
			for x := max(center-1, 0); x <= min(center+1, width-1); x++ {
				sum += row[x*c+ch] * weights[(ky*3+x-center+1)*c+ch]
			}
		}
		out[at] = min(max(sum, least), most)
	}
}

func genericLargest(dst, src *float32, taps []Tap, c int) {
	out := unsafe.Slice(dst, c)
	for n, t := range taps {
		for i, v := range unsafe.Slice((*float32)(unsafe.Add(unsafe.Pointer(src), t.Offset*4)), c) {
			if n == 0 || v > out[i] {
				out[i] = v
			}
		}
	}
}

func genericClamp(x *float32, n int, most float32) {
	for i, v := range unsafe.Slice(x, n) {
		unsafe.Slice(x, n)[i] = min(max(v, 0), most)
	}
}

func genericHardSwish(x *float32, n int) {
	for i, v := range unsafe.Slice(x, n) {
		unsafe.Slice(x, n)[i] = v * min(max(v+3, 0), 6) / 6
	}
}
