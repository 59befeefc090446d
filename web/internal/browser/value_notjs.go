//go:build !js

package browser

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// Value is null. Outside a browser the page is rendered once, without events, so nothing needs other
// values: the calls of JavaScript do nothing.
type Value struct{}

func (Value) Bool() bool                { return false }
func (Value) Call(string, ...any) Value { return Value{} }
func (Value) Equal(Value) bool          { return true }
func (Value) Float() float64            { return 0 }
func (Value) Get(string) Value          { return Value{} }
func (Value) Index(int) Value           { return Value{} }
func (Value) Int() int                  { return 0 }
func (Value) Invoke(...any) Value       { return Value{} }
func (Value) IsNaN() bool               { return true }
func (Value) IsNull() bool              { return true }
func (Value) IsUndefined() bool         { return false }
func (Value) Length() int               { return 0 }
func (Value) New(...any) Value          { return Value{} }
func (Value) Set(string, any)           {}
func (Value) SetIndex(int, any)         {}
func (Value) String() string            { return "" }
func (Value) Truthy() bool              { return false }
func (Value) Type() int                 { return 0 }

// Func is never called.
type Func struct{ Value }

func (Func) Release() {}

// The types that values are checked for.
const (
	TypeString = 1 + iota
	TypeObject
	TypeFunction
)

func Of(app.Value) Value                   { return Value{} }
func Global() Value                        { return Value{} }
func Null() Value                          { return Value{} }
func ValueOf(any) Value                    { return Value{} }
func FuncOf(func(Value, []Value) any) Func { return Func{} }
func CopyBytesToGo([]byte, Value)          {}
func CopyBytesToJS(Value, []byte)          {}
func read(Value, any) error                { return nil }
