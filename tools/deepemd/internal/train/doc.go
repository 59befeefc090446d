// Package train has the verbs that train networks: train pretrain and train meta.
package train
