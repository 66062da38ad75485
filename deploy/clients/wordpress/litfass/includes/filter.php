<?php
/**
 * From the attributes of a block or shortcode to addresses of the Litfass site.
 *
 * @package Litfass
 */

namespace Litfass;

defined( 'ABSPATH' ) || exit;

/** Parameters of lists that the plugin sets, or that have no meaning in a page. */
const OWN_PARAMETERS = array( 'filter', 'format', 'theme', 'rows', 'embed_lang', 'position' );

/** Parameters of the look of a list, which its filter does not have. */
const LOOK_PARAMETERS = array( 'view', 'heading', 'heading_level' );

/** The length of a parameter's value, in characters. */
const LONGEST_VALUE = 2000;

/**
 * The parameters of a list: what attributes say, else their further filter. Names that no parameter
 * can have, and empty values, are left out; Litfass refuses other names that it does not know.
 *
 * @param array $attributes Of a block or shortcode.
 * @return array<string, string>
 */
function parameters( array $attributes ): array {
	$parameters = array();
	foreach ( array( further( $attributes['filter'] ?? '' ), $attributes ) as $given ) {
		foreach ( $given as $name => $value ) {
			$value = clean( $value );
			if ( '' !== $value && preg_match( '/^[a-z][a-z_]{0,39}$/D', (string) $name ) && ! in_array( $name, OWN_PARAMETERS, true ) ) {
				$parameters[ $name ] = $value;
			}
		}
	}
	foreach ( array( 'view' => 'list', 'heading_level' => '2' ) as $name => $usual ) {
		if ( ( $parameters[ $name ] ?? '' ) === $usual ) {
			unset( $parameters[ $name ] );
		}
	}
	if ( ! isset( $parameters['lang'] ) ) {
		$language           = settings()['language'];
		$parameters['lang'] = '' === $language ? substr( get_locale(), 0, 2 ) : $language;
	}
	ksort( $parameters );
	return $parameters;
}

/**
 * A value as text on one line, lists with commas.
 *
 * @param mixed $value Of an attribute.
 */
function clean( $value ): string {
	if ( is_array( $value ) ) {
		$value = implode( ',', array_filter( $value, 'is_scalar' ) );
	}
	if ( ! is_scalar( $value ) || is_bool( $value ) ) {
		return '';
	}
	// Not sanitize_text_field(): it takes tags out, which are words to search for and to show here.
	$value = (string) preg_replace( '/[\x00-\x20\x7F]+/', ' ', wp_check_invalid_utf8( (string) $value ) );
	return mb_substr( trim( $value ), 0, LONGEST_VALUE );
}

/**
 * The parameters of a further filter, such as "tags=family&age=6". Of a whole address only the part
 * after its question mark counts.
 *
 * @param mixed $filter As it was typed.
 * @return array<string, string>
 */
function further( $filter ): array {
	$parameters = array();
	if ( ! is_string( $filter ) ) {
		return $parameters;
	}
	$query = explode( '#', $filter )[0];
	if ( false !== strpos( $query, '?' ) ) {
		$query = substr( $query, strpos( $query, '?' ) + 1 );
	}
	foreach ( explode( '&', $query ) as $pair ) {
		list( $name, $value ) = array_map( 'urldecode', array_map( 'trim', explode( '=', $pair, 2 ) + array( '', '' ) ) );
		if ( '' !== $value ) {
			$parameters[ $name ] = isset( $parameters[ $name ] ) ? $parameters[ $name ] . ',' . $value : $value;
		}
	}
	return $parameters;
}

/**
 * The address of a list as a fragment of HTML. Its host is always that of the settings.
 *
 * @param array<string, string> $parameters Of the list.
 */
function fragment_address( array $parameters ): string {
	return settings()['address'] . '/embed?' . http_build_query( $parameters + array( 'format' => 'fragment' ), '', '&', PHP_QUERY_RFC3986 );
}

/**
 * The address of the page that shows all events of a list.
 *
 * @param array<string, string> $parameters Of the list.
 */
function list_address( array $parameters ): string {
	$parameters = array_diff_key( $parameters, array_flip( array_merge( LOOK_PARAMETERS, array( 'limit' ) ) ) );
	return settings()['address'] . '/?' . http_build_query( $parameters, '', '&', PHP_QUERY_RFC3986 );
}
