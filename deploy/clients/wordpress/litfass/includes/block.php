<?php
/**
 * The block and the shortcode.
 *
 * @package Litfass
 */

namespace Litfass;

defined( 'ABSPATH' ) || exit;

/**
 * Registers the block with its script and the styles, which the shortcode shares: a page has them
 * once.
 */
function register_block(): void {
	wp_register_style( 'litfass', plugins_url( 'block/style.css', FILE ), array(), VERSION );
	wp_register_script(
		'litfass-editor',
		plugins_url( 'block/editor.js', FILE ),
		array( 'wp-api-fetch', 'wp-block-editor', 'wp-blocks', 'wp-components', 'wp-element', 'wp-server-side-render' ),
		VERSION,
		true
	);
	if ( is_admin() ) {
		wp_add_inline_script( 'litfass-editor', 'window.litfassTexts = ' . wp_json_encode( editor_texts(), JSON_HEX_TAG ) . ';', 'before' );
	}
	register_block_type( dirname( FILE ) . '/block', array( 'render_callback' => __NAMESPACE__ . '\render_block' ) );
}

/**
 * Renders the block.
 *
 * @param array $attributes Of block.json; others are those of WordPress, such as align.
 */
function render_block( array $attributes ): string {
	$own = array_intersect_key( $attributes, array_flip( array( 'search', 'city', 'categories', 'event_types', 'portal', 'filter', 'view', 'heading', 'heading_level', 'limit', 'lang' ) ) );
	return '<div ' . get_block_wrapper_attributes() . '>' . render( $own ) . '</div>';
}

/**
 * Renders the shortcode.
 *
 * @param array|string $attributes As they were typed; editors write & as &amp;.
 */
function render_shortcode( $attributes ): string {
	wp_enqueue_style( 'litfass' );
	$decoded = array();
	foreach ( (array) $attributes as $name => $value ) {
		$decoded[ $name ] = html_entity_decode( (string) $value, ENT_QUOTES | ENT_HTML5, 'UTF-8' );
	}
	return '<div class="litfass">' . render( $decoded ) . '</div>';
}

/**
 * Renders a list. Only people who edit see why there is none.
 *
 * @param array $attributes Of the block or shortcode.
 */
function render( array $attributes ): string {
	$settings = settings();
	$editor   = current_user_can( 'edit_posts' );
	if ( '' === $settings['address'] ) {
		return $editor ? note( __( 'Set the address of the Litfass site on the settings page of the plugin.', 'litfass' ) ) : '';
	}
	$parameters = parameters( $attributes );
	$fresh      = $settings['minutes'] * MINUTE_IN_SECONDS;
	// Editors preview filters that are half typed: their lists are not kept.
	$kept   = defined( 'REST_REQUEST' ) && REST_REQUEST ? $fresh : KEPT;
	$answer = answer( fragment_address( $parameters ), 'text/html', $fresh, $kept );
	$link   = '<p class="litfass-links"><a class="litfass-more" href="' . esc_url( list_address( $parameters ), array( 'http', 'https' ) ) . '">' . esc_html__( 'All events', 'litfass' ) . '</a></p>';
	switch ( $answer['state'] ) {
		case 'good':
			return clean_html( $answer['body'] ) . ( isset( $answer['stale'] ) ? stale_notes( $answer, $editor ) : '' );
		case 'refused':
			return $editor ? note( __( 'Litfass does not take this filter. Visitors see a link only.', 'litfass' ) ) . clean_html( $answer['body'] ) : $link;
		default:
			/* translators: %s: what went wrong, in English. */
			return $link . ( $editor ? note( sprintf( __( 'Litfass does not answer. Visitors see a link only. (%s)', 'litfass' ), $answer['body'] ) ) : '' );
	}
}

/**
 * The notes below a list that could not be fetched again: of which day it is, since it may name
 * today, and for people who edit, why.
 *
 * @param array $answer A stale one.
 * @param bool  $editor Whether a person who edits looks at it.
 */
function stale_notes( array $answer, bool $editor ): string {
	$notes = '';
	if ( wp_date( 'Y-m-d', $answer['time'] ) !== wp_date( 'Y-m-d' ) ) {
		/* translators: %s: a date. */
		$notes = '<p class="litfass-of">' . esc_html( sprintf( __( 'List of %s', 'litfass' ), wp_date( get_option( 'date_format' ), $answer['time'] ) ) ) . '</p>';
	}
	/* translators: %s: what went wrong, in English. */
	return $notes . ( $editor ? note( sprintf( __( 'Litfass does not answer; this is its last list. (%s)', 'litfass' ), $answer['stale'] ) ) : '' );
}

/**
 * A note for people who edit.
 *
 * @param string $text Plain text.
 */
function note( string $text ): string {
	return '<p class="litfass-note">' . esc_html( $text ) . '</p>';
}

/**
 * The texts of the block's settings.
 *
 * @return array<string, string>
 */
function editor_texts(): array {
	return array(
		'events'      => __( 'Events', 'litfass' ),
		'search'      => __( 'Search words', 'litfass' ),
		'city'        => __( 'Town', 'litfass' ),
		'categories'  => __( 'Categories', 'litfass' ),
		'eventTypes'  => __( 'Kinds of events', 'litfass' ),
		'portal'      => __( 'Portal', 'litfass' ),
		'portalHelp'  => __( 'The short name of a part of the catalogue, as in /p/name.', 'litfass' ),
		'filter'      => __( 'Further filters', 'litfass' ),
		'filterHelp'  => __( 'Such as tags=family&age=6, or the whole address of a list on the Litfass site.', 'litfass' ),
		'noChoices'   => __( 'Litfass does not answer, so there is nothing to choose from.', 'litfass' ),
		'look'        => __( 'Look', 'litfass' ),
		'view'        => __( 'View', 'litfass' ),
		'list'        => __( 'List', 'litfass' ),
		'week'        => __( 'Week', 'litfass' ),
		'month'       => __( 'Month', 'litfass' ),
		'heading'     => __( 'Heading', 'litfass' ),
		'level'       => __( 'Level of the heading', 'litfass' ),
		'limit'       => __( 'Dates in the list', 'litfass' ),
		'lang'        => __( 'Language', 'litfass' ),
		'langHelp'    => __( 'Two letters, such as de. Empty: as in the settings of the plugin.', 'litfass' ),
	);
}
