<?php
/**
 * Removes the settings and the stored answers, of every site of a network.
 *
 * @package Litfass
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

/**
 * Removes what the plugin has stored in the tables of the current site.
 */
function litfass_uninstall_site(): void {
	global $wpdb;
	delete_option( 'litfass' );
	foreach ( array( '_transient_litfass_', '_transient_timeout_litfass_', 'litfass_lock_' ) as $prefix ) {
		// phpcs:ignore WordPress.DB.DirectDatabaseQuery -- options can only be removed by their whole name.
		$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->options} WHERE option_name LIKE %s", $wpdb->esc_like( $prefix ) . '%' ) );
	}
	wp_cache_flush();
}

if ( is_multisite() ) {
	foreach ( get_sites( array( 'fields' => 'ids', 'number' => 0 ) ) as $litfass_site ) {
		switch_to_blog( $litfass_site );
		litfass_uninstall_site();
		restore_current_blog();
	}
} else {
	litfass_uninstall_site();
}
