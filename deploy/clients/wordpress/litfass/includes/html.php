<?php
/**
 * The HTML of fragments: what of it a page takes over.
 *
 * @package Litfass
 */

namespace Litfass;

defined( 'ABSPATH' ) || exit;

/**
 * Reports whether a text is a fragment of Litfass rather than another page at its address.
 *
 * @param string $html Of an answer.
 */
function is_fragment( string $html ): bool {
	return (bool) preg_match( '/^\s*<(section|div) class="litfass-events[" ]/', $html );
}

/**
 * The elements of fragments with their attributes, for wp_kses().
 */
function allowed_html(): array {
	$class = array( 'class' => array( 'value_callback' => __NAMESPACE__ . '\is_own_class' ) );
	$dir   = array( 'dir' => true );
	$lang  = array( 'lang' => true );
	$label = array( 'aria-label' => true );
	return array(
		'section' => $class + $lang + $label,
		'div'     => $class + $lang + $dir,
		'h2'      => $class + $dir,
		'h3'      => $class + $dir,
		'h4'      => $class + $dir,
		'h5'      => $class + $dir,
		'h6'      => $class + $dir,
		'p'       => $class,
		'ol'      => $class,
		'ul'      => array(),
		'li'      => $class + array( 'data-date' => true ),
		'a'       => $class + $label + array( 'href' => true, 'rel' => true ),
		'time'    => array( 'datetime' => true ),
		'span'    => $class + $lang + $dir + array( 'aria-hidden' => true ),
		'strong'  => $class,
		's'       => $dir,
		'code'    => array(),
		'table'   => $class,
		'caption' => $class,
		'thead'   => array(),
		'tbody'   => array(),
		'tr'      => array(),
		'th'      => array( 'scope' => true, 'abbr' => true ),
		'td'      => $class,
	);
}

/**
 * Reports whether all classes are of Litfass, so that none has a meaning in the theme.
 *
 * @param string $classes Value of the attribute.
 */
function is_own_class( $classes ): bool {
	return (bool) preg_match( '/^(litfass-[a-z-]+(\s+|$))+$/D', (string) $classes );
}

/**
 * A fragment without anything that fragments do not have.
 *
 * @param string $html Of an answer.
 */
function clean_html( string $html ): string {
	return wp_kses( $html, allowed_html(), array( 'http', 'https' ) );
}
