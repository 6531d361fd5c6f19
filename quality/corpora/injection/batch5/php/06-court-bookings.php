<?php
/**
 * Plugin Name: Court Bookings
 */

class Court_Bookings_Plugin {

	public function register() {
		add_action( 'wp_ajax_nopriv_court_slots', array( $this, 'slots' ) );
		add_action( 'wp_ajax_court_log', array( $this, 'log' ) );
		add_action( 'rest_api_init', array( $this, 'routes' ) );
		add_action( 'admin_menu', array( $this, 'menu' ) );
	}

	public function routes() {
		register_rest_route( 'courts/v1', '/bookings', array(
			'callback'            => array( $this, 'bookings' ),
			'permission_callback' => '__return_true',
		) );
		register_rest_route( 'courts/v1', '/totals', array(
			'callback'            => array( $this, 'totals' ),
			'permission_callback' => '__return_true',
			'args'                => array(
				'court' => array( 'sanitize_callback' => 'absint', 'default' => 1 ),
			),
		) );
	}

	public function menu() {
		add_menu_page( 'Courts', 'Courts', 'edit_posts', 'courts', array( $this, 'panel' ) );
	}

	public function slots() {
		global $wpdb;
		$ids  = sanitize_text_field( wp_unslash( $_POST['courts'] ?? '0' ) );
		$rows = $wpdb->get_results( "SELECT * FROM {$wpdb->prefix}slots WHERE court_id IN ($ids)" );
		wp_send_json_success( $rows );
	}

	public function bookings( WP_REST_Request $request ) {
		global $wpdb;
		$orderby = esc_sql( $request->get_param( 'orderby' ) ?? 'day' );
		$sql     = $wpdb->prepare(
			"SELECT day, slot FROM {$wpdb->prefix}bookings WHERE day >= %s ORDER BY $orderby LIMIT %d",
			$request->get_param( 'from' ),
			50
		);
		return $wpdb->get_results( $sql );
	}

	public function totals( WP_REST_Request $request ) {
		global $wpdb;
		$court = absint( $request['court'] );
		return $wpdb->get_var( "SELECT COUNT(*) FROM {$wpdb->prefix}bookings WHERE court_id = $court" );
	}

	public function log() {
		check_ajax_referer( 'court_log' );
		$dir = wp_upload_dir()['basedir'] . '/court-logs/';
		echo esc_html( file_get_contents( $dir . wp_unslash( $_GET['day'] ) ) );
		wp_die();
	}

	public function panel() {
		$view = $_GET['view'] ?? 'list';
		if ( ! in_array( $view, array( 'list', 'calendar', 'settings' ), true ) ) {
			$view = 'list';
		}
		include plugin_dir_path( __FILE__ ) . "views/{$view}.php";
	}
}

( new Court_Bookings_Plugin() )->register();
