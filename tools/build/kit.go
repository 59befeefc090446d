package main

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// workers are the scripts of workers, the engine's first. Each becomes one file with its imports.
var workers = []string{"worker.js", "gallery-worker.js"}

// kitFolder is the folder of package deepemd in the site, and among the packages.
const kitFolder = "deepemd"

// kit writes package deepemd, without the files for npm: modules and types unchanged, the generated
// files (the workers' scripts with their imports, assets.js, the notice), and the given others. With
// join, for pages without a bundler, it also joins modules.
func (s *folder) kit(join bool, others map[string][]byte) error {
	for _, p := range kitPrograms {
		if err := s.goBuild(p, path.Join(kitFolder, p.file)); err != nil {
			return err
		}
	}
	if err := checkStart(s.root); err != nil {
		return err
	}
	notice, err := s.notice(ofNPM)
	if err != nil {
		return err
	}
	made := map[string][]byte{"NOTICE.txt": notice}
	for _, name := range workers {
		script, err := s.bundle(s.source(name), true)
		if err != nil {
			return err
		}
		made[name] = []byte(script)
	}
	if made["assets.js"], err = s.assets(len(made[workers[0]])); err != nil {
		return err
	}
	if join {
		joined, err := s.joined(npm, made)
		if err != nil {
			return err
		}
		maps.Copy(made, joined)
	}
	maps.Copy(made, others)
	files, err := os.ReadDir(s.source(""))
	if err != nil {
		return err
	}
	for _, file := range files {
		if name := file.Name(); made[name] == nil && hasEnding(name, []string{".js", ".ts", ".LICENSE.txt"}) {
			if err := s.copyFile(s.source(name), path.Join(kitFolder, name)); err != nil {
				return err
			}
		}
	}
	return s.writeAll(kitFolder, made)
}

func (s *folder) source(name string) string {
	return filepath.Join(s.root, filepath.FromSlash(npm), name)
}

// asset matches an asset in assets.js: its address and its size.
var asset = regexp.MustCompile(`(new URL\("\./([^"]+)", import\.meta\.url\); \}, bytes: )0`)

// assets returns assets.js with the sizes of the files that it names. Those are in the same folder,
// except scripts.
func (s *folder) assets(worker int) ([]byte, error) {
	text, err := os.ReadFile(s.source("assets.js"))
	if err != nil {
		return nil, err
	}
	var lacks error
	filled := asset.ReplaceAllFunc(text, func(found []byte) []byte {
		parts := asset.FindSubmatch(found)
		size := int64(worker)
		if name := string(parts[2]); name != "worker.js" {
			from := filepath.Join(s.out, kitFolder, name)
			if strings.HasSuffix(name, ".js") {
				from = s.source(name) // kit copies it later
			}
			info, err := os.Stat(from)
			if err != nil {
				lacks = fmt.Errorf("%s/assets.js: %w", npm, err)
				return found
			}
			size = info.Size()
		}
		return strconv.AppendInt(parts[1], size, 10)
	})
	return filled, lacks
}
