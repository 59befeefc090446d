package texts

import "strconv"

var englishBringing = Bringing{
	Learning: func(done, all int) string {
		return "Saved, learning " + strconv.Itoa(done) + " of " + strconv.Itoa(all)
	},
	Save:        "Save the examples",
	SaveTitle:   "Save the examples as a zip, in a folder for each class, for other programs",
	Folder:      "Add folders",
	FolderTitle: "Add a folder with a folder of examples for each class. A zip of such folders opens by “Open a file”, or drop it on the page.",
	Brought: func(classes, examples int) string {
		return counted(examples, "1 example", "# examples") + " in " + counted(classes, "1 class", "# classes")
	},
	LeftBehind: func(files int) string {
		if files == 0 {
			return ""
		}
		return counted(files, "1 other file was left out.", "# other files were left out.")
	},
	BadZip: "The file is no zip archive, or it is damaged: save or download it once more.",
	Poses: func(program string) string {
		return "It is a project of " + program + " that recognises poses, from joints and not from pictures. Save the pictures of each class there, and bring them here in folders."
	},
	Sounds: func(program string) string {
		return "It is a project of " + program + " with sounds, which only that program can read. Record them here under Sounds, or bring WAV or MP3 files in folders."
	},
	NoExamples: "There are no examples in it: give each class a folder with its pictures.",
}
