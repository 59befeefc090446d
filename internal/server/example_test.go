package server_test

import (
	"fmt"
	"net/http/httptest"
	"testing/fstest"

	"github.com/deepemd/deepemd/internal/server"
)

// The server gives a browser that takes it the precompressed copy of a file.
func ExampleNew() {
	handler, err := server.New(fstest.MapFS{
		"index.html":      {Data: []byte("<!DOCTYPE html>")},
		"web/app.wasm":    {Data: []byte("the program")},
		"web/app.wasm.br": {Data: []byte("the same, smaller")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, encoding := range []string{"gzip, br", ""} {
		request := httptest.NewRequest("GET", "/web/app.wasm", nil)
		request.Header.Set("Accept-Encoding", encoding)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		fmt.Println(answer.Code, answer.Header().Get("Content-Type"), answer.Body)
	}
	// Output:
	// 200 application/wasm the same, smaller
	// 200 application/wasm the program
}
