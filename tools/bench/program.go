package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
)

// program is a process, such as a script in tools/peers, that reads one request and writes one answer
// per line.
type program struct {
	name string // including its version
	card bool   // whether it can use a card
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *json.Decoder
}

type answer struct {
	Version string  `json:"version"`
	Card    bool    `json:"card"`
	MS      float64 `json:"ms"`
	Optimum float64 `json:"optimum"`
}

// startPython starts a peer. If it is not installed, startPython notes that and returns nil.
func (b *bench) startPython(script, peer string) *program {
	for _, interpreter := range []string{"/usr/bin/python3", "python3"} {
		if p, err := speaking(exec.Command(interpreter, filepath.Join("tools", "peers", script))); err == nil {
			return p
		}
	}
	b.peerNotes[peer] = "not installed: make bench-peers installs it"
	return nil
}

// speaking starts a program, which first prints its name.
func speaking(cmd *exec.Cmd) (*program, error) {
	p := &program{cmd: cmd}
	var err error
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p.out = json.NewDecoder(out)
	var first answer
	if err := p.out.Decode(&first); err != nil {
		p.stop()
		return nil, err
	}
	p.name, p.card = first.Version, first.Card
	return p, nil
}

func (p *program) send(value any) error { return json.NewEncoder(p.in).Encode(value) }

func (p *program) call(request any) (a answer, err error) {
	if err := p.send(request); err != nil {
		return a, fmt.Errorf("%s: %w", p.name, err)
	}
	if err := p.out.Decode(&a); err != nil {
		return a, fmt.Errorf("%s stopped: %w", p.name, err)
	}
	return a, nil
}

// measure returns a side that sends the request.
func (p *program) measure(request any) peerSide {
	if p == nil {
		return peerSide{}
	}
	return peerSide{name: p.name, measure: func() (float64, error) {
		a, err := p.call(request)
		return a.MS, err
	}}
}

func (p *program) stop() {
	if p == nil {
		return
	}
	p.in.Close()
	p.cmd.Process.Kill()
	p.cmd.Wait()
}
