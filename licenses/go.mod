// License texts of third-party components. This module keeps them out of what go get downloads.
module github.com/deepemd/deepemd/licenses

go 1.27.4
