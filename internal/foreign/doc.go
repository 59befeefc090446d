// Package foreign finds classes of pictures in what other programs leave: projects of
// Teachable Machine and of genai-tm, and folders, or archives of them, with a folder of
// pictures for each class. It also names such folders, for the way out.
//
// It sees names, and reads one small JSON text: whoever has the files opens them, a page
// or a command. So both take the same files, and take them for the same.
//
// What is known of the formats was read off public projects and, for genai-tm, off its
// public source.
//
// # Teachable Machine
//
// "Download project as file" gives a zip archive of stored entries, named *.tm:
//
//   - "<class>-!-<n>.jpg": the pictures, squares of 224 pixels, class after class in the
//     order of the page, n from 0 on. The class stands there as its author wrote it.
//   - "manifest.json", the last entry: {"type": "image", "version": "2.4.10", "appdata":
//     {…settings of the training…}}. The type is "image", "pose" or "audio". It names no
//     classes: one without pictures leaves no trace.
//
// A project of poses holds pictures of people too, but what it learned are the joints in
// them; it is refused, as one of sounds is, which holds spectrograms of its own making.
//
// # genai-tm
//
// Its archive is a *.zip of deflated entries:
//
//   - "samples/<i>_<n>.png": the n-th picture of the i-th class, both from 0 on; of a
//     sound also .pcm, .spectrogram and .json;
//   - "metadata.json": the labels of the classes as "labels", the name of the project as
//     "modelName"; one of sounds has "tfjsSpeechCommandsVersion", those of poses and of
//     hands are told by "packageName" or "poseNetArchitecture";
//   - "model.json", "weights.bin" and "behaviours.json": the model and what it sets off.
//
// # Folders
//
// A picture belongs to the class that the first folder below the root names: see package folders.
package foreign
