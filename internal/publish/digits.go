package publish

// digits are those of base 85, which mean nothing in HTML: the same as in
// web/static/web/digits.js.
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%()*+,-./:;=?@[]^_|~"

// appendDigits appends bytes as text to a page: four of them as five digits, a quarter more
// where base64 takes a third. Of fewer bytes at the end there is one digit more.
func appendDigits(text, data []byte) []byte {
	for len(data) > 0 {
		n := min(4, len(data))
		var value uint32
		for i := range 4 {
			value <<= 8
			if i < n {
				value |= uint32(data[i])
			}
		}
		var group [5]byte
		for i := 4; i >= 0; i-- {
			group[i] = digits[value%85]
			value /= 85
		}
		text = append(text, group[:n+1]...)
		data = data[n:]
	}
	return text
}
