package onnx

import (
	"fmt"
	"math"
	"strconv"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/tensor"
)

// transformer adds the layers of a vision transformer to a graph.
type transformer struct {
	layers
	channels, heads, tokens int
}

// drawTransformer adds a vision transformer with its position embeddings resampled for the file's
// input size.
func drawTransformer(g *graph, f *weights.File, network *backbone.ViT) {
	side := f.Meta.InputSize / network.Patch()
	c := network.Channels()
	before, places := network.Start(side, side)
	first := len(before) / c
	heads, _ := strconv.Atoi(f.Meta.Extra[backbone.KeyHeads]) // valid, since the network was built
	t := transformer{layers{g, f, "encoder.", "", 0}, c, heads, first + side*side}
	embedded := t.embed(network.Patch(), side*side)
	x := g.node("Add", "placed", []string{embedded, g.initializer("places", tensor.Of(places, 1, side*side, c))})
	if first > 0 {
		x = t.precede(x, tensor.Of(before, 1, first, c))
	}
	for i := 0; t.tensor(fmt.Sprintf("blocks.%d.norm1.weight", i)) != nil; i++ {
		x = t.block(fmt.Sprintf("blocks.%d.", i), x)
	}
	if first > 0 {
		x = g.node("Slice", "patches", []string{x, g.integers("first", first), g.integers("end", t.tokens), g.integers("axis", 1)})
	}
	x = g.node("Transpose", "channels first", []string{t.norm("norm", x)}, attributeOf("perm", []int{0, 2, 1}))
	g.node("Reshape", Output, []string{x, g.integers("map", 0, c, side, side)})
}

// embed adds the embedding of the patches, and returns the tokens [N, patches, C].
func (t transformer) embed(patch, patches int) string {
	const name = "patch_embed.proj"
	x := t.graph.node("Conv", "patches seen", []string{Input, t.initializer(name + ".weight"), t.initializer(name + ".bias")},
		attributeOf("kernel_shape", []int{patch, patch}), attributeOf("strides", []int{patch, patch}))
	x = t.graph.node("Reshape", "patches in a row", []string{x, t.graph.integers("row", 0, t.channels, patches)})
	return t.graph.node("Transpose", "embedded", []string{x}, attributeOf("perm", []int{0, 2, 1}))
}

// precede puts the same tokens before the patches of each image.
func (t transformer) precede(x string, before *tensor.Tensor) string {
	g := t.graph
	shape := g.node("Shape", "shape", []string{x})
	pictures := g.node("Slice", "pictures", []string{shape, g.integers("from 0", 0), g.integers("to 1", 1)})
	each := g.node("Concat", "for each picture", []string{pictures, g.integers("ones", 1, 1)}, attributeOf("axis", 0))
	repeated := g.node("Expand", "tokens repeated", []string{g.initializer("tokens", before), each})
	return g.node("Concat", "tokens and patches", []string{repeated, x}, attributeOf("axis", 1))
}

func (t transformer) block(at, x string) string {
	y := t.dense(at+"attn.proj", t.attention(at+"attn.", t.norm(at+"norm1", x)))
	x = t.graph.node("Add", at+"attended", []string{x, t.scale(at+"ls1.gamma", y)})
	y = t.dense(at+"mlp.fc2", t.gelu(at+"mlp.gelu", t.dense(at+"mlp.fc1", t.norm(at+"norm2", x))))
	return t.graph.node("Add", at+"out", []string{x, t.scale(at+"ls2.gamma", y)})
}

func (t transformer) attention(at, x string) string {
	g, width := t.graph, t.channels/t.heads
	all := g.node("Reshape", at+"split", []string{t.dense(at+"qkv", x), g.integers("heads", 0, t.tokens, 3, t.heads, width)})
	all = g.node("Transpose", at+"by kind", []string{all}, attributeOf("perm", []int{2, 0, 3, 1, 4}))
	kind := func(name string, number int) string {
		return g.node("Gather", at+name, []string{all, g.integer("number "+strconv.Itoa(number), number)}, attributeOf("axis", 0))
	}
	queries := g.node("Mul", at+"queries scaled", []string{kind("queries", 0), g.scalar("1/√width", float32(1/math.Sqrt(float64(width))))})
	keys := g.node("Transpose", at+"keys turned", []string{kind("keys", 1)}, attributeOf("perm", []int{0, 1, 3, 2}))
	scores := g.node("MatMul", at+"scores", []string{queries, keys})
	shares := g.node("Softmax", at+"shares", []string{scores}, attributeOf("axis", -1))
	mixed := g.node("MatMul", at+"mixed", []string{shares, kind("values", 2)})
	mixed = g.node("Transpose", at+"by token", []string{mixed}, attributeOf("perm", []int{0, 2, 1, 3}))
	return g.node("Reshape", at+"joined", []string{mixed, g.integers("joined", 0, t.tokens, t.channels)})
}

// dense adds a dense layer: the product with the transposed weights [out, in], and a bias.
func (t transformer) dense(name, x string) string {
	weight := t.graph.initializer(name+".weight", transpose(t.tensor(name+".weight")))
	x = t.graph.node("MatMul", name+"/product", []string{x, weight})
	if t.tensor(name+".bias") == nil {
		return x
	}
	return t.graph.node("Add", name+"/sum", []string{x, t.initializer(name + ".bias")})
}

// scale adds LayerScale, if the file has it.
func (t transformer) scale(name, x string) string {
	if t.tensor(name) == nil {
		return x
	}
	return t.graph.node("Mul", name+"/scaled", []string{x, t.initializer(name)})
}

// norm adds a layer normalization of operators that exist in every opset.
func (t transformer) norm(name, x string) string {
	g, last := t.graph, attributeOf("axes", []int{-1})
	mean := g.node("ReduceMean", name+"/mean", []string{x}, last)
	centered := g.node("Sub", name+"/centered", []string{x, mean})
	squares := g.node("Pow", name+"/squares", []string{centered, g.scalar("two", 2)})
	variance := g.node("ReduceMean", name+"/variance", []string{squares}, last)
	deviation := g.node("Sqrt", name+"/deviation", []string{g.node("Add", name+"/positive", []string{variance, g.scalar("epsilon", backbone.Epsilon)})})
	normal := g.node("Div", name+"/normal", []string{centered, deviation})
	scaled := g.node("Mul", name+"/scaled", []string{normal, t.initializer(name + ".weight")})
	return g.node("Add", name+"/out", []string{scaled, t.initializer(name + ".bias")})
}

// gelu adds x·(1 + erf(x/√2))/2.
func (t transformer) gelu(name, x string) string {
	g := t.graph
	error := g.node("Erf", name+"/erf", []string{g.node("Div", name+"/quotient", []string{x, g.scalar("√2", math.Sqrt2)})})
	product := g.node("Mul", name+"/product", []string{x, g.node("Add", name+"/sum", []string{error, g.scalar("one", 1)})})
	return g.node("Mul", name+"/out", []string{product, g.scalar("half", 0.5)})
}

// initializer adds a tensor of the file without its prefix.
func (t transformer) initializer(name string) string {
	return t.graph.initializer(name, t.tensor(name))
}
