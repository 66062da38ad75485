package stream

import (
	"encoding/json"
	"sync"

	"github.com/klauspost/compress/zstd"

	"litfass/pkg/contracts/applied"
)

// appliedSignal is a freshness signal as it is sent. Earlier receivers find a packed batch missing,
// as one that they have not heard.
type appliedSignal struct {
	applied.Signal
	Packed []byte `json:"packed,omitempty"` // the batch of a large signal, compressed
}

// mostUnpacked bounds the memory for a packed batch.
const mostUnpacked = 32 << 20

var packer = sync.OnceValue(func() *zstd.Encoder {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // only for invalid options
	}
	return encoder
})

var unpacker = sync.OnceValue(func() *zstd.Decoder {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostUnpacked))
	if err != nil {
		panic(err) // only for invalid options
	}
	return decoder
})

// encodeApplied writes a signal in at most mostSignalled bytes.
func encodeApplied(what applied.Signal) ([]byte, error) {
	data, err := json.Marshal(what)
	if err != nil || what.Batch == nil || len(data) <= mostSignalled {
		return data, err
	}
	for _, batch := range []applied.Batch{*what.Batch, what.Batch.WithoutEntries()} {
		changes, err := json.Marshal(batch)
		if err != nil {
			return nil, err
		}
		packed := appliedSignal{Signal: what, Packed: packer().EncodeAll(changes, nil)}
		packed.Batch = nil
		if data, err = json.Marshal(packed); err != nil || len(changes) <= mostUnpacked && len(data) <= mostSignalled {
			return data, err
		}
	}
	what.Batch = &applied.Batch{All: true}
	return json.Marshal(what)
}

// unpacked returns the signal with its batch. After one that cannot be read, anything may have
// changed.
func (s appliedSignal) unpacked() applied.Signal {
	if len(s.Packed) == 0 {
		return s.Signal
	}
	changes, err := unpacker().DecodeAll(s.Packed, nil)
	var batch applied.Batch
	if err != nil || json.Unmarshal(changes, &batch) != nil {
		batch = applied.Batch{All: true}
	}
	s.Batch = &batch
	return s.Signal
}
