package blob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strconv"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/encrypt"
)

// s3 is a bucket of S3 or of a server that speaks its protocol.
type s3 struct {
	client     minio.Core
	name       string
	encryption encrypt.ServerSide // nil: the bucket's default
}

// s3Settings are the parameters of a URL s3://bucket?…
type s3Settings struct {
	endpoint                            string // with or without its scheme
	region, profile, encryption, kmsKey string
	pathStyle, plain, anonymous         bool
}

func readS3Settings(query url.Values) (s3Settings, error) {
	s := s3Settings{
		endpoint: cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), "s3.amazonaws.com"),
		region:   cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")),
	}
	for name := range query {
		var err error
		switch value := query.Get(name); name {
		case "endpoint":
			s.endpoint = value
		case "region":
			s.region = value
		case "profile":
			s.profile = value
		case "ssetype":
			s.encryption = value
		case "kmskeyid":
			s.kmsKey = value
		case "use_path_style", "s3ForcePathStyle":
			s.pathStyle, err = strconv.ParseBool(value)
		case "disable_https":
			s.plain, err = strconv.ParseBool(value)
		case "anonymous":
			s.anonymous, err = strconv.ParseBool(value)
		default:
			err = errors.New("unknown")
		}
		if err != nil {
			return s, fmt.Errorf("parameter %s: %w", name, err)
		}
	}
	return s, nil
}

// openS3 returns the bucket of a URL. It does not connect yet.
func openS3(address *url.URL) (*s3, error) {
	settings, err := readS3Settings(address.Query())
	if err != nil {
		return nil, err
	}
	encryption, err := settings.serverSide()
	if err != nil {
		return nil, err
	}
	host, secure := settings.endpoint, !settings.plain
	if parsed, err := url.Parse(host); err == nil && parsed.Host != "" {
		host, secure = parsed.Host, parsed.Scheme == "https"
	}
	options := &minio.Options{
		Creds: settings.credentials(), Region: settings.region, Secure: secure, BucketLookup: minio.BucketLookupDNS, MaxRetries: 3,
	}
	if settings.pathStyle {
		options.BucketLookup = minio.BucketLookupPath
	}
	client, err := minio.NewCore(host, options)
	if err != nil {
		return nil, err
	}
	return &s3{*client, address.Host, encryption}, nil
}

// credentials returns the usual sources of AWS credentials in their usual order: the environment,
// the credentials file, and the role of the pod, container or machine.
func (s s3Settings) credentials() *credentials.Credentials {
	if s.anonymous {
		return credentials.NewStatic("", "", "", credentials.SignatureAnonymous)
	}
	providers := []credentials.Provider{
		&credentials.EnvAWS{}, &credentials.FileAWSCredentials{Profile: s.profile}, &credentials.IAM{Region: s.region},
	}
	if s.profile != "" {
		providers = providers[1:]
	}
	return credentials.NewChainCredentials(providers)
}

func (s s3Settings) serverSide() (encrypt.ServerSide, error) {
	switch s.encryption {
	case "":
		return nil, nil
	case "AES256":
		return encrypt.NewSSE(), nil
	case "aws:kms":
		return encrypt.NewSSEKMS(s.kmsKey, nil)
	}
	return nil, fmt.Errorf("parameter ssetype: %q is neither AES256 nor aws:kms", s.encryption)
}

func (s *s3) put(ctx context.Context, key, contentType string, content io.Reader, size int64) error {
	options := minio.PutObjectOptions{ContentType: contentType, CacheControl: "private", ServerSideEncryption: s.encryption}
	_, err := s.client.Client.PutObject(ctx, s.name, key, content, size, options)
	return s3Error(err)
}

func (s *s3) open(ctx context.Context, key string) (io.ReadCloser, int64, error) {
	content, info, _, err := s.client.GetObject(ctx, s.name, key, minio.GetObjectOptions{})
	return content, info.Size, s3Error(err)
}

func (s *s3) openRange(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	options := minio.GetObjectOptions{}
	if err := options.SetRange(offset, offset+length-1); err != nil {
		return nil, err
	}
	content, _, _, err := s.client.GetObject(ctx, s.name, key, options)
	return content, s3Error(err)
}

func (s *s3) copy(ctx context.Context, from, to string) error {
	_, err := s.client.Client.CopyObject(ctx, minio.CopyDestOptions{Bucket: s.name, Object: to, Encryption: s.encryption},
		minio.CopySrcOptions{Bucket: s.name, Object: from})
	return s3Error(err)
}

func (s *s3) remove(ctx context.Context, key string) error {
	return s3Error(s.client.RemoveObject(ctx, s.name, key, minio.RemoveObjectOptions{}))
}

func (s *s3) list(ctx context.Context, folder string, use func(object)) error {
	ctx, cancel := context.WithCancel(ctx) // ends the client's goroutine
	defer cancel()
	if folder != "" {
		folder += "/"
	}
	for entry := range s.client.ListObjectsIter(ctx, s.name, minio.ListObjectsOptions{Prefix: folder, Recursive: true}) {
		if entry.Err != nil {
			return entry.Err
		}
		use(object{entry.Key, entry.LastModified})
	}
	return ctx.Err()
}

func (s *s3) close() error { return nil }

// s3Error turns the answer 404 into fs.ErrNotExist.
func s3Error(err error) error {
	if err != nil && minio.ToErrorResponse(err).StatusCode == http.StatusNotFound {
		return fs.ErrNotExist
	}
	return err
}
