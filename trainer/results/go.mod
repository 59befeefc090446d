module github.com/deepemd/deepemd/trainer/results

go 1.27.4
