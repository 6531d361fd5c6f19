<?php
/**
 * Plugin Name: Town Events
 * Description: Events of the town with a small REST interface.
 */

if (!defined('ABSPATH')) {
    exit;
}

add_action('rest_api_init', function () {
    register_rest_route('town/v1', '/events', [
        'methods' => 'GET',
        'callback' => 'town_events_list',
        'permission_callback' => '__return_true',
    ]);
    register_rest_route('town/v1', '/events/at', [
        'methods' => 'GET',
        'callback' => 'town_events_at',
        'permission_callback' => '__return_true',
    ]);
});

function town_events_list(WP_REST_Request $request)
{
    global $wpdb;
    $place = $request->get_param('place');
    $sql = $wpdb->prepare(
        "SELECT id, title FROM {$wpdb->prefix}town_events WHERE day >= %s AND place = '" . $place . "'",
        $request->get_param('from')
    );

    return rest_ensure_response($wpdb->get_results($sql));
}

function town_events_at(WP_REST_Request $request)
{
    global $wpdb;
    $sql = $wpdb->prepare(
        "SELECT id, title FROM {$wpdb->prefix}town_events WHERE place = %s LIMIT %d",
        $request->get_param('place'),
        $request->get_param('limit')
    );

    return rest_ensure_response($wpdb->get_results($sql));
}

add_action('wp_ajax_nopriv_town_count', function () {
    global $wpdb;
    $like = "'%" . wp_unslash($_GET['s']) . "%'";
    echo (int) $wpdb->get_var("SELECT COUNT(*) FROM {$wpdb->prefix}town_events WHERE title LIKE $like");
    wp_die();
});

add_action('wp_ajax_nopriv_town_vote', function () {
    global $wpdb;
    $wpdb->query("UPDATE {$wpdb->prefix}town_events SET votes = votes + 1 WHERE slug = '{$_COOKIE['town_event']}'");
    wp_die();
});
