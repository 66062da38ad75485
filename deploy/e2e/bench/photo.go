package main

import (
	"bytes"
	"image"
	"image/jpeg"
	"math"
	"math/rand/v2"
)

// photo returns the file of an image that compresses about as well as a photograph: soft shapes
// with fine grain. Different seeds give different images.
func photo(seed uint64, width, height int) ([]byte, error) {
	random := rand.New(rand.NewPCG(7, seed))
	var waves [6][3]float64 // across, down, shift
	for i := range waves {
		waves[i] = [3]float64{random.Float64() * 12, random.Float64() * 12, random.Float64() * 2 * math.Pi}
	}
	picture := image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio420)
	for y := range height {
		for x := range width {
			light := 128.0
			for _, wave := range waves {
				light += 16 * math.Sin(wave[0]*float64(x)/float64(width)+wave[1]*float64(y)/float64(height)+wave[2])
			}
			grain := random.Uint32() % 24
			picture.Y[picture.YOffset(x, y)] = uint8(max(0, min(light+float64(grain), 255)))
			at := picture.COffset(x, y)
			picture.Cb[at], picture.Cr[at] = uint8(96+x*64/width), uint8(96+y*64/height)
		}
	}
	var file bytes.Buffer
	err := jpeg.Encode(&file, picture, &jpeg.Options{Quality: 90})
	return file.Bytes(), err
}
