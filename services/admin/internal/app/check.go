package app

import (
	"errors"
	"fmt"
	"net/url"
	"time"
)

// shortestInvitation is the minimum validity of an invitation, because its mail counts days.
const shortestInvitation = 24 * time.Hour

// check returns every error in the configuration.
func (c Config) check() error {
	var mistakes []error
	if address, err := url.Parse(c.Accounts.AppURL); err != nil || address.Host == "" ||
		(address.Scheme != "http" && address.Scheme != "https") {
		mistakes = append(mistakes, errors.New("APP_URL is not an http address"))
	}
	if _, err := c.Calendar.zone(); err != nil {
		mistakes = append(mistakes, err)
	}
	if c.Team.InvitationValid < shortestInvitation {
		mistakes = append(mistakes, errors.New("INVITATION_VALID must be a day or more"))
	}
	return errors.Join(append(mistakes, c.checkNumbers()...)...)
}

// checkNumbers returns an error for each number and duration that is not positive.
func (c Config) checkNumbers() (mistakes []error) {
	for name, count := range map[string]int{
		"LOGIN_ATTEMPTS": c.Accounts.LoginAttempts, "SIGNUP_ATTEMPTS": c.Accounts.SignupAttempts,
		"MAIL_ATTEMPTS": c.Mail.Attempts, "PASSWORD_HASHES": c.PasswordHashes,
	} {
		if count < 1 {
			mistakes = append(mistakes, fmt.Errorf("%s must be positive", name))
		}
	}
	for name, duration := range map[string]time.Duration{
		"LOGIN_WINDOW": c.Accounts.LoginWindow, "SIGNUP_WINDOW": c.Accounts.SignupWindow,
		"ACTIVATION_VALID": c.Accounts.ActivationValid, "RESET_VALID": c.Accounts.ResetValid, "MAIL_TIMEOUT": c.Mail.Timeout,
		"ACCESS_TOKEN_LIFETIME": c.Tokens.AccessLifetime, "REFRESH_TOKEN_LIFETIME": c.Tokens.RefreshLifetime,
		"SIGNING_KEY_AGE": c.SigningKeyAge, "PREVIEW_VALID": c.Preview.Valid,
		"AUDIT_AGE": c.Audit.Age, "AUDIT_ADDRESS_AGE": c.Audit.AddressAge, "MESSAGE_AGE": c.Messages.Age,
	} {
		if duration <= 0 {
			mistakes = append(mistakes, fmt.Errorf("%s must be positive", name))
		}
	}
	return mistakes
}
