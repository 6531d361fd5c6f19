<?php
/**
 * Plugin Name: Room Bookings
 */

add_action('rest_api_init', function () {
    $routes = [
        '/slots' => ['GET', 'bk_slots'],
        '/search' => ['GET', 'bk_search'],
        '/cancel' => ['POST', 'bk_cancel'],
        '/guest' => ['GET', 'bk_guest'],
        '/report' => ['GET', 'bk_report'],
    ];
    foreach ($routes as $path => [$method, $callback]) {
        register_rest_route('bookings/v1', $path, [
            'methods' => $method,
            'callback' => $callback,
            'permission_callback' => '__return_true',
        ]);
    }
});

function bk_slots(WP_REST_Request $request)
{
    global $wpdb;
    $room = absint($request->get_param('room'));
    return $wpdb->get_results("SELECT * FROM {$wpdb->prefix}bk_slots WHERE room_id = $room");
}

function bk_search(WP_REST_Request $request)
{
    global $wpdb;
    $term = esc_sql($request->get_param('term'));
    $order = esc_sql($request->get_param('orderby') ?: 'day');
    $sql = "SELECT * FROM {$wpdb->prefix}bk_bookings WHERE title LIKE '$term'";
    return $wpdb->get_results($sql . " ORDER BY $order");
}

function bk_cancel(WP_REST_Request $request)
{
    global $wpdb;
    $id = (int) $request->get_param('id');
    $reason = sanitize_text_field($request->get_param('reason'));
    $done = $wpdb->query(
        "UPDATE {$wpdb->prefix}bk_bookings SET state = 'cancelled', note = '$reason' WHERE id = $id"
    );
    return ['cancelled' => $done];
}

function bk_guest(WP_REST_Request $request)
{
    global $wpdb;
    $query = "SELECT day, room_id FROM {$wpdb->prefix}bk_bookings WHERE guest_email = %s AND day >= %s";
    return $wpdb->get_results($wpdb->prepare($query, $request['email'], $request['from']));
}

function bk_report(WP_REST_Request $request)
{
    global $wpdb;
    $filters = '';
    foreach ((array) $request->get_param('state') as $state) {
        $filters .= " OR state = '" . trim($state) . "'";
    }
    $sql = "SELECT state, COUNT(*) AS n FROM {$wpdb->prefix}bk_bookings WHERE room_id = %d AND (1 = 0 $filters) GROUP BY state";
    return $wpdb->get_results($wpdb->prepare($sql, $request->get_param('room')));
}
