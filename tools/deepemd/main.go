// Command deepemd is the project's command. It serves the studio, converts weights, classifies,
// evaluates, trains, and solves transport problems.
//
// The packages of its verbs register them. An error is one line on standard error and exit code 1.
// Built with the tag mpi, the command shares its work with the other processes that mpirun starts.
package main

import (
	"os"

	"github.com/deepemd/deepemd/internal/cluster"
	_ "github.com/deepemd/deepemd/tools/deepemd/internal/convert"
	_ "github.com/deepemd/deepemd/tools/deepemd/internal/evaluate"
	_ "github.com/deepemd/deepemd/tools/deepemd/internal/recognize"
	_ "github.com/deepemd/deepemd/tools/deepemd/internal/serve"
	_ "github.com/deepemd/deepemd/tools/deepemd/internal/train"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

func main() {
	stderr := verb.Plain(os.Stderr)
	group, end, err := cluster.Start()
	if err != nil {
		verb.Report(stderr, err)
		os.Exit(1)
	}
	command := verb.Root()
	command.SetOut(verb.Plain(os.Stdout))
	command.SetErr(stderr)
	verb.SetGroup(command, group)
	if err := verb.Execute(command, os.Args[1:]); err != nil {
		verb.Fail(stderr, group, err)
		os.Exit(1)
	}
	end()
}
