<?php
/**
 * The settings and their page.
 *
 * @package Litfass
 */

namespace Litfass;

defined( 'ABSPATH' ) || exit;

const OPTION  = 'litfass';
const PAGE    = 'litfass';
const DEFAULT_SETTINGS = array(
	'address'  => '', // of the Litfass site, without a slash at its end.
	'minutes'  => 5, // for which an answer is fresh.
	'language' => '', // two letters; empty: that of the page.
);

/**
 * The settings.
 *
 * @return array{address: string, minutes: int, language: string}
 */
function settings(): array {
	return array_merge( DEFAULT_SETTINGS, (array) get_option( OPTION, array() ) );
}

/**
 * Registers the settings; options.php of WordPress checks capability and nonce.
 */
function register_settings(): void {
	register_setting(
		PAGE,
		OPTION,
		array(
			'type'              => 'array',
			'sanitize_callback' => __NAMESPACE__ . '\sanitize_settings',
			'show_in_rest'      => false,
		)
	);
	add_settings_section( 'litfass', '', '__return_empty_string', PAGE );
	foreach (
		array(
			'address'  => __( 'Address of the Litfass site', 'litfass' ),
			'minutes'  => __( 'Minutes until lists are fetched again', 'litfass' ),
			'language' => __( 'Language of the lists', 'litfass' ),
		) as $name => $label
	) {
		add_settings_field( 'litfass-' . $name, $label, __NAMESPACE__ . '\show_' . $name, PAGE, 'litfass', array( 'label_for' => 'litfass-' . $name ) );
	}
}

/**
 * Cleans settings that were sent. What is not valid stays as it was.
 *
 * @param mixed $sent The form's values.
 */
function sanitize_settings( $sent ): array {
	$settings = settings();
	$sent     = is_array( $sent ) ? array_filter( $sent, 'is_scalar' ) : array();
	$address  = site_address( trim( (string) ( $sent['address'] ?? '' ) ) );
	if ( null !== $address ) {
		$settings['address'] = $address;
	} else {
		add_settings_error( OPTION, 'address', __( 'The address must begin with http:// or https:// and have no user, “?” or “#”.', 'litfass' ) );
	}
	$settings['minutes'] = min( 1440, max( 1, absint( $sent['minutes'] ?? DEFAULT_SETTINGS['minutes'] ) ) );
	$language            = strtolower( trim( (string) ( $sent['language'] ?? '' ) ) );
	if ( preg_match( '/^([a-z]{2})?$/D', $language ) ) {
		$settings['language'] = $language;
	} else {
		add_settings_error( OPTION, 'language', __( 'A language has two letters, such as de.', 'litfass' ) );
	}
	return $settings;
}

/**
 * The address of a site in the form in which it is stored, null if it is none that may be asked.
 *
 * @param string $given As it was typed.
 */
function site_address( string $given ): ?string {
	if ( '' === $given ) {
		return '';
	}
	$parts = wp_parse_url( $given );
	if ( ! is_array( $parts ) || empty( $parts['host'] ) || array_intersect_key( $parts, array_flip( array( 'user', 'pass', 'query', 'fragment' ) ) ) ) {
		return null;
	}
	if ( ! preg_match( '#^https?://[^\s\\\\]+$#iD', $given ) ) {
		return null;
	}
	return rtrim( sanitize_url( $given, array( 'http', 'https' ) ), '/' );
}

/**
 * Adds the page to the menu of settings.
 */
function add_settings_page(): void {
	add_options_page( 'Litfass', 'Litfass', 'manage_options', PAGE, __NAMESPACE__ . '\show_settings_page' );
}

/**
 * Adds a link to the page to the list of plugins.
 *
 * @param string[] $links Links of the plugin.
 */
function add_settings_link( array $links ): array {
	array_unshift( $links, '<a href="' . esc_url( settings_address() ) . '">' . esc_html__( 'Settings', 'litfass' ) . '</a>' );
	return $links;
}

/**
 * The address of the settings page.
 */
function settings_address(): string {
	return admin_url( 'options-general.php?page=' . PAGE );
}

/**
 * Shows the settings page and, once settings have been saved, whether the site answers.
 */
function show_settings_page(): void {
	if ( ! current_user_can( 'manage_options' ) ) {
		return;
	}
	echo '<div class="wrap"><h1>Litfass</h1>';
	// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- it only asks the configured address.
	if ( isset( $_GET['settings-updated'] ) && '' !== settings()['address'] ) {
		show_check();
	}
	echo '<form action="options.php" method="post">';
	settings_fields( PAGE );
	do_settings_sections( PAGE );
	submit_button();
	echo '</form></div>';
}

/**
 * Shows whether the site answers, without the stored answers.
 */
function show_check(): void {
	$answer = ask( fragment_address( array( 'limit' => '1' ) ), 'text/html' );
	if ( 'good' === $answer['state'] ) {
		show_notice( 'success', __( 'Litfass answers at this address.', 'litfass' ) );
	} else {
		/* translators: %s: what went wrong, in English. */
		show_notice( 'error', sprintf( __( 'Litfass does not answer at this address: %s', 'litfass' ), $answer['body'] ) );
	}
}

/**
 * Shows a notice; wp_admin_notice() is younger than WordPress 6.1.
 *
 * @param string $kind success or error.
 * @param string $text Plain text.
 */
function show_notice( string $kind, string $text ): void {
	printf( '<div class="notice notice-%s"><p>%s</p></div>', esc_attr( $kind ), esc_html( wp_html_excerpt( $text, 300, '…' ) ) );
}

/**
 * Shows the field of the address.
 */
function show_address(): void {
	printf(
		'<input type="url" class="regular-text code" id="litfass-address" name="litfass[address]" value="%s" placeholder="https://events.example.org" aria-describedby="litfass-address-about"><p class="description" id="litfass-address-about">%s</p>',
		esc_attr( settings()['address'] ),
		esc_html__( 'Lists come from this address only, whatever blocks and shortcodes say.', 'litfass' )
	);
}

/**
 * Shows the field of the time for which answers are fresh.
 */
function show_minutes(): void {
	printf(
		'<input type="number" class="small-text" id="litfass-minutes" name="litfass[minutes]" min="1" max="1440" value="%d" aria-describedby="litfass-minutes-about"><p class="description" id="litfass-minutes-about">%s</p>',
		absint( settings()['minutes'] ),
		esc_html__( 'When Litfass does not answer, pages keep showing the last list for up to a week.', 'litfass' )
	);
}

/**
 * Shows the field of the language.
 */
function show_language(): void {
	printf(
		'<input type="text" class="small-text" id="litfass-language" name="litfass[language]" maxlength="2" pattern="[a-zA-Z]{2}" value="%s" aria-describedby="litfass-language-about"><p class="description" id="litfass-language-about">%s</p>',
		esc_attr( settings()['language'] ),
		esc_html__( 'Two letters, such as de. Empty: the language of the page. A block can have its own.', 'litfass' )
	);
}
