<?php
/**
 * The values that filters take, for the editor: from the API of the Litfass site.
 *
 * @package Litfass
 */

namespace Litfass;

defined( 'ABSPATH' ) || exit;

/** The lists of the API, by the parameters whose values they name. */
const CHOICES = array(
	'categories'  => '/api/choosable-categories',
	'event_types' => '/api/choosable-event-types',
);

/**
 * Registers the route that the editor reads, for people who edit.
 */
function register_choices(): void {
	register_rest_route(
		'litfass/v1',
		'/choices',
		array(
			'methods'             => 'GET',
			'callback'            => __NAMESPACE__ . '\choices',
			'permission_callback' => static function (): bool {
				return current_user_can( 'edit_posts' );
			},
		)
	);
}

/**
 * The choices in the language of the person who edits. A list that Litfass does not answer is empty.
 *
 * @return array<string, array<int, array{value: int, label: string}>>
 */
function choices(): array {
	$choices = array();
	foreach ( CHOICES as $name => $path ) {
		$choices[ $name ] = choices_at( $path );
	}
	return $choices;
}

/**
 * The choices of one list.
 *
 * @param string $path Of the API.
 */
function choices_at( string $path ): array {
	$settings = settings();
	if ( '' === $settings['address'] ) {
		return array();
	}
	$address = $settings['address'] . $path . '?lang=' . rawurlencode( substr( get_user_locale(), 0, 2 ) );
	$answer  = answer( $address, 'application/json', HOUR_IN_SECONDS );
	$items   = 'good' === $answer['state'] ? json_decode( $answer['body'], true ) : null;
	$choices = array();
	foreach ( is_array( $items ) ? $items : array() as $item ) {
		if ( isset( $item['id'], $item['name'] ) && is_int( $item['id'] ) && is_string( $item['name'] ) ) {
			$choices[] = array( 'value' => $item['id'], 'label' => $item['name'] );
		}
	}
	return $choices;
}
