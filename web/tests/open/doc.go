// Package open tests what the studio takes over from other programs: projects of
// Teachable Machine and genai-tm, folders of pictures; and the folders that it hands out.
package open
