<?php
/**
 * Plugin Name:       Litfass
 * Description:       Shows events of a Litfass site, as a block or with a shortcode: as a list, a week or a month.
 * Version:           1.0.0
 * Requires at least: 6.1
 * Requires PHP:      7.4
 * Author:            Litfass
 * License:           MIT
 * License URI:       https://opensource.org/license/mit
 * Text Domain:       litfass
 * Domain Path:       /languages
 *
 * @package Litfass
 */

namespace Litfass;

defined( 'ABSPATH' ) || exit;

const VERSION = '1.0.0';
const FILE    = __FILE__;

require __DIR__ . '/includes/settings.php';
require __DIR__ . '/includes/filter.php';
require __DIR__ . '/includes/answers.php';
require __DIR__ . '/includes/html.php';
require __DIR__ . '/includes/block.php';
require __DIR__ . '/includes/choices.php';

/**
 * Loads the texts by the language only, so that de_AT and de_DE_formal have those of de.
 */
function load_texts(): void {
	load_textdomain( 'litfass', __DIR__ . '/languages/litfass-' . substr( determine_locale(), 0, 2 ) . '.mo' );
}

add_action( 'init', __NAMESPACE__ . '\load_texts', 1 );
add_action( 'init', __NAMESPACE__ . '\register_block' );
add_action( 'rest_api_init', __NAMESPACE__ . '\register_choices' );
add_action( 'admin_init', __NAMESPACE__ . '\register_settings' );
add_action( 'admin_menu', __NAMESPACE__ . '\add_settings_page' );
add_filter( 'plugin_action_links_' . plugin_basename( FILE ), __NAMESPACE__ . '\add_settings_link' );
add_shortcode( 'litfass', __NAMESPACE__ . '\render_shortcode' );
