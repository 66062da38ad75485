package page

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/adminapi"
	codes "litfass/pkg/contracts/language"
	"litfass/pkg/contracts/value"
	"litfass/pkg/ui"
	uitext "litfass/pkg/ui/text"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/session"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// Request is the request of a person, and the answer to it.
type Request struct {
	Path   string           // such as "/console/messages", without a slash at its end
	Query  url.Values       // of the address
	Form   Form             // of a POST
	User   *session.Session // nil without a login
	Script bool             // a script asks for a part of the page, with which it replaces the one that is there
	Text   *text.Texts
	Now    time.Time
	Today  time.Time // midnight in the console's zone

	deps   Deps
	c      *fiber.Ctx      // not safe for concurrent use, not even for reading
	ctx    context.Context //nolint:containedctx // of the one request, as an http.Request holds its own
	frames *frame          // of the head of the page; nil until it is read
	fresh  bool            // set while Together runs: the login was refreshed before

	address, agent string // of the person
}

// request reads a request, also one that was refused before it had a route.
func (d Deps) request(c *fiber.Ctx) *Request {
	// A query that cannot be read in part is read as far as it can be, as browsers do.
	query, _ := url.ParseQuery(string(c.Request().URI().QueryString()))
	now := d.Now().In(d.Zone)
	user := d.Cookies.Read(c)
	texts := text.Of(d.languageOf(c, query, user)).ForRequest()
	return &Request{
		Path: "/" + strings.Trim(c.Path(), "/"), Query: query, User: user,
		Script: c.Get("HX-Request") == "true", Text: texts,
		Now: now, Today: time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, d.Zone),
		deps: d, c: c, ctx: text.NewContext(c.UserContext(), texts),
		address: web.ClientAddress(c, d.TrustedProxies).String(), agent: c.Get(fiber.HeaderUserAgent),
	}
}

// languageOf returns the code of the language to answer in: the one that the address names, else
// the person's, else the one chosen earlier in this browser, else the best one for the browser.
func (d Deps) languageOf(c *fiber.Ctx, query url.Values, user *session.Session) string {
	chosen := d.Cookies.Language(c)
	if user != nil {
		chosen = user.Locale
	}
	return uitext.Match(d.Language, c.Get(fiber.HeaderAcceptLanguage), query.Get("lang"), chosen)
}

// chooseLanguage keeps the language that the address names, for the pages after this one.
func (r *Request) chooseLanguage() error {
	if named := r.Query.Get("lang"); named != r.Text.Code {
		return nil
	}
	if r.User == nil {
		r.deps.Cookies.WriteLanguage(r.c, r.Text.Code)
		return nil
	}
	if r.User.Locale == r.Text.Code {
		return nil
	}
	changed := *r.User
	changed.Locale = r.Text.Code
	return r.LogIn(&changed)
}

// Scripts reports whether the browser runs the scripts of pages: they leave a cookie.
func (r *Request) Scripts() bool { return r.Script || r.c.Cookies("litfass_scripts") != "" }

// Context ends with the request, or at its deadline.
func (r *Request) Context() context.Context { return r.ctx }

// Param returns a part of the path by its name in the route.
func (r *Request) Param(name string) string { return r.c.Params(name) }

// UUID returns a part of the path that is a UUIDv7, in lower case. Any other text is NotFound,
// since no page can have it in its address.
func (r *Request) UUID(name string) (string, error) {
	uuid, valid := value.UUIDv7(r.Param(name))
	if !valid {
		return "", fault.New(fault.NotFound, "", "there is no such page")
	}
	return uuid, nil
}

// Admin returns the operations of the admin service for the person, in their language. The login is
// refreshed when that is due; Unauthenticated ends it.
func (r *Request) Admin() client.Admin { return client.NewAdmin(r.ask) }

func (r *Request) ask(call client.Call) (client.Answer, error) {
	call.Address, call.Agent = r.address, r.agent
	call.Language = r.Text.Code
	if err := r.stayLoggedIn(); err != nil {
		return client.Answer{}, err
	}
	if r.User != nil {
		call.Token = r.User.Access
	}
	answer, err := r.deps.Admin.Do(r.Context(), call)
	return answer, r.inWords(err)
}

func (r *Request) refresh() error {
	next, err := r.deps.Refresher.Refresh(r.Context(), r.User, r.address, r.agent)
	if err != nil {
		return err
	}
	return r.LogIn(next)
}

// LogIn makes s the session of the person from now on, and has the browser keep it. It keeps their
// language, too, for pages after the end of the session.
func (r *Request) LogIn(s *session.Session) error {
	r.User = s
	if slices.Contains(codes.Codes, s.Locale) && s.Locale != r.deps.Cookies.Language(r.c) {
		r.deps.Cookies.WriteLanguage(r.c, s.Locale)
	}
	return r.deps.Cookies.Write(r.c, s)
}

// LogOut ends the login in this browser. It does not end the session at the admin service.
func (r *Request) LogOut() {
	r.User, r.frames = nil, nil
	r.deps.Cookies.Clear(r.c)
}

// Public returns the operations of the public API, the visitors' view.
func (r *Request) Public() client.Public {
	return client.NewPublic(func(call client.Call) (client.Answer, error) {
		call.Language, call.Address, call.Agent = r.Text.Code, r.address, r.agent
		return r.deps.Query.Do(r.Context(), call)
	})
}

// Lookup returns the value sets in the language of the request.
func (r *Request) Lookup() lookup.Reader {
	return lookup.Reader{Cache: r.deps.Lookup, Public: r.Public(), Language: r.Text.Code, Now: r.Now}
}

// Show answers with a whole page. It returns Unauthenticated when the login has ended meanwhile.
func (r *Request) Show(p view.Page) error {
	p.Brand, p.Text, p.Path, p.In = r.deps.Brand, r.Text, r.Path, r.in
	p.Notice = r.notice()
	if r.c.Method() == fiber.MethodPost && r.c.Response().StatusCode() < http.StatusBadRequest {
		p.Taken = r.Path
	}
	if r.User != nil {
		p.User = &view.User{ID: r.User.UserID, Name: r.User.Name, Theme: r.User.Theme}
		f := r.frame()
		if fault.Is(f.lost, fault.Unauthenticated) {
			return f.lost
		}
		p.Memberships, p.Attention = f.memberships, f.attention
	}
	return r.ShowPart(view.Layout(p))
}

// ShowPart answers with only components, for a script that replaces parts of the page.
func (r *Request) ShowPart(parts ...templ.Component) error {
	var html bytes.Buffer
	for _, part := range parts {
		if err := part.Render(r.Context(), &html); err != nil {
			return err
		}
	}
	r.c.Response().Header.SetContentType(fiber.MIMETextHTMLCharsetUTF8)
	return r.c.Send(html.Bytes())
}

// Warn logs an error that the person is not shown.
func (r *Request) Warn(message string, err error) {
	r.deps.Log.WarnContext(r.Context(), message, "error", err.Error())
}

// Status sets the status of the answer; 200 without it.
func (r *Request) Status(status int) *Request {
	r.c.Status(status)
	return r
}

// Tiles returns the background of maps.
func (r *Request) Tiles() ui.Tiles { return r.deps.Brand.Tiles }

// Header sets a header of the answer.
func (r *Request) Header(name, value string) { r.c.Set(name, value) }

// SendFile answers with a file: attachment names it for the browser to store; "" has it shown.
func (r *Request) SendFile(content []byte, kind, attachment string) error {
	r.c.Response().Header.SetContentType(kind)
	if attachment != "" {
		r.c.Attachment(attachment)
		r.c.Response().Header.SetContentType(kind)
	}
	return r.c.Send(content)
}

// Go redirects to another page of the console. notice is the message "notice.<notice>" that is
// shown there; "" for none.
func (r *Request) Go(path, notice string) error {
	if notice != "" {
		path = withNotice(path, notice)
	}
	if r.Script {
		r.c.Set("HX-Redirect", path)
		return r.c.SendStatus(http.StatusOK)
	}
	return r.c.Redirect(path, http.StatusSeeOther)
}

// withNotice adds a notice to the query of an address, before its fragment.
func withNotice(path, notice string) string {
	path, fragment, found := strings.Cut(path, "#")
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	path += separator + "notice=" + url.QueryEscape(notice)
	if found {
		path += "#" + fragment
	}
	return path
}

// notice returns the message that the address asks for; "" when there is no such message.
func (r *Request) notice() string {
	if id := "notice." + r.Query.Get("notice"); r.Text.Has(id) {
		return r.Text.T(id)
	}
	return ""
}

// in returns the address of this page in another language.
func (r *Request) in(lang string) string {
	path, query := r.pageAddress()
	query.Set("lang", lang)
	return withQuery(path, query)
}

// Login asks the admin service for a session. It returns Unauthenticated for a wrong password or
// address, and TooMany after too many attempts.
func (r *Request) Login(email, password string) (*session.Session, error) {
	r.User = nil
	got, err := r.Admin().Login(adminapi.Credentials{Email: email, Password: password})
	if err != nil {
		return nil, err
	}
	return r.sessionOf(got), nil
}

// Join asks the admin service for an account with the address of an invitation, which makes it a
// member. It returns its session and the uuid of the organization.
func (r *Request) Join(account adminapi.InvitedAccount) (made *session.Session, org string, err error) {
	r.User = nil
	got, err := r.Admin().JoinTeam(account)
	if err != nil {
		return nil, "", err
	}
	return r.sessionOf(got.LoginResult), got.Membership.OrgUUID, nil
}

func (r *Request) sessionOf(got adminapi.LoginResult) *session.Session {
	return &session.Session{
		Access: got.AccessToken, Refresh: got.RefreshToken, Expires: r.Now.Add(time.Duration(got.ExpiresIn) * time.Second),
		UserID: got.UserID, Name: got.DisplayName, Locale: got.Locale, Theme: got.Theme,
	}
}
