package browser

import (
	"syscall/js"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/internal/jsvalue"
)

// Value is a value of JavaScript.
type Value = js.Value

// Func is a function for JavaScript.
type Func = js.Func

// The types that values are checked for.
const (
	TypeString   = js.TypeString
	TypeObject   = js.TypeObject
	TypeFunction = js.TypeFunction
)

// The functions of syscall/js, and Of for the value of an element or an event.

func Of(v app.Value) Value                   { return app.JSValue(v) }
func Global() Value                          { return js.Global() }
func Null() Value                            { return js.Null() }
func ValueOf(x any) Value                    { return js.ValueOf(x) }
func FuncOf(f func(Value, []Value) any) Func { return js.FuncOf(f) }
func CopyBytesToGo(to []byte, from Value)    { js.CopyBytesToGo(to, from) }
func CopyBytesToJS(to Value, from []byte)    { js.CopyBytesToJS(to, from) }
func read(from Value, into any) error        { return jsvalue.Read(from, into) }
