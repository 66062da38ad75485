<?php
/**
 * Answers of the Litfass site: fetched by one request at a time, stored, and shown again while the
 * site does not answer.
 *
 * An answer is an array of state (good, refused or failed), body, which of a failed one is the
 * cause in English, and time, when it was fetched.
 *
 * @package Litfass
 */

namespace Litfass;

defined( 'ABSPATH' ) || exit;

/** How long a page waits for the site, in seconds. */
const PATIENCE = 3;

/** How long after a failure the site is not asked again, in seconds. */
const PAUSE = 30;

/** How long one request refreshes an answer while others take the stored one, in seconds. */
const LOCK_TIME = 10;

/** How long an answer is kept after it was fetched, in seconds. */
const KEPT = WEEK_IN_SECONDS;

/** The size of an answer, in bytes. */
const LARGEST_ANSWER = 1048576;

/**
 * The answer at an address, from the store if it is fresh there. It is failed if there is none.
 *
 * @param string $address Below the address of the settings.
 * @param string $type    Content type of a good answer.
 * @param int    $fresh   For how many seconds it is fresh.
 * @param int    $kept    For how many seconds it is kept.
 */
function answer( string $address, string $type, int $fresh, int $kept = KEPT ): array {
	$key    = 'litfass_' . md5( VERSION . ' ' . $address );
	$stored = get_transient( $key );
	$known  = is_array( $stored ) && isset( $stored['answer'], $stored['until'] );
	if ( $known && $stored['until'] > time() ) {
		return $stored['answer'];
	}
	if ( ! lock( $key ) ) { // Another request is fetching it.
		return $known ? $stored['answer'] : failure( 'the first answer is being fetched' );
	}
	$answer = ask( $address, $type );
	if ( 'failed' === $answer['state'] ) {
		$fresh = PAUSE;
		if ( $known && 'failed' !== $stored['answer']['state'] ) {
			$answer = array_merge( $stored['answer'], array( 'stale' => $answer['body'] ) );
		}
	}
	$left = $kept - ( time() - $answer['time'] );
	if ( $left <= 0 ) {
		$answer = failure( $answer['stale'] ?? $answer['body'] );
		$left   = PAUSE;
	}
	set_transient(
		$key,
		array(
			'answer' => $answer,
			'until'  => min( time() + $fresh, midnight() ),
		),
		max( $left, $fresh )
	);
	return $answer;
}

/**
 * Asks the site. Redirects are not followed, since they could lead to another host.
 *
 * @param string $address Below the address of the settings.
 * @param string $type    Content type of a good answer.
 */
function ask( string $address, string $type ): array {
	$response = wp_remote_get(
		$address,
		array(
			'timeout'             => PATIENCE,
			'redirection'         => 0,
			'limit_response_size' => LARGEST_ANSWER,
			'user-agent'          => 'Litfass-WordPress/' . VERSION,
			'headers'             => array( 'Accept' => $type ),
		)
	);
	if ( is_wp_error( $response ) ) {
		return failure( $response->get_error_message() );
	}
	$status = (int) wp_remote_retrieve_response_code( $response );
	$body   = wp_remote_retrieve_body( $response );
	$given  = (string) wp_remote_retrieve_header( $response, 'content-type' );
	if ( 0 !== strpos( $given, $type ) || strlen( $body ) >= LARGEST_ANSWER || ( 'text/html' === $type && ! is_fragment( $body ) ) ) {
		return failure( "status $status with content that is not of Litfass" );
	}
	$states = array( 200 => 'good', 400 => 'refused', 404 => 'refused' );
	if ( ! isset( $states[ $status ] ) ) {
		return failure( "status $status" );
	}
	return array( 'state' => $states[ $status ], 'body' => $body, 'time' => time() );
}

/**
 * The end of today. Lists name today and tomorrow, so that none is fresh beyond it.
 */
function midnight(): int {
	return ( new \DateTimeImmutable( 'tomorrow', wp_timezone() ) )->getTimestamp();
}

/**
 * A failed answer.
 *
 * @param string $cause In English.
 */
function failure( string $cause ): array {
	return array( 'state' => 'failed', 'body' => $cause, 'time' => time() );
}

/**
 * Takes the lock of a stored answer for some seconds. It reports whether it was free.
 *
 * @param string $key Of the answer.
 */
function lock( string $key ): bool {
	global $wpdb;
	if ( wp_using_ext_object_cache() ) {
		return wp_cache_add( $key, 1, 'litfass_lock', LOCK_TIME );
	}
	// The functions for options do not report which of two requests has added one.
	// phpcs:disable WordPress.DB.DirectDatabaseQuery
	$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->options} WHERE option_name LIKE %s AND option_value <= %d", $wpdb->esc_like( 'litfass_lock_' ) . '%', time() ) );
	return (bool) $wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, %d, 'no')", 'litfass_lock_' . $key, time() + LOCK_TIME ) );
	// phpcs:enable
}
