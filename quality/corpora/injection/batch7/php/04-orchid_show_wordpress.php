<?php
/**
 * Plugin Name: Orchid Show Entries
 */

add_action('rest_api_init', function () {
    $routes = [
        'entries' => 'orchid_entries',
        'judges' => 'orchid_judges',
        'class' => 'orchid_class',
        'photo' => 'orchid_photo',
        'ranking' => 'orchid_ranking',
    ];
    foreach ($routes as $path => $callback) {
        register_rest_route('orchid/v1', '/' . $path, [
            'methods' => 'GET',
            'callback' => $callback,
            'permission_callback' => '__return_true',
        ]);
    }
});

function orchid_entries(WP_REST_Request $request)
{
    global $wpdb;
    $genus = '%' . $wpdb->esc_like($request['genus']) . '%';
    $sql = $wpdb->prepare(
        "SELECT id, name FROM {$wpdb->prefix}orchids WHERE genus LIKE %s AND year = %d",
        $genus,
        $request['year']
    );
    return rest_ensure_response($wpdb->get_results($sql));
}

function orchid_judges(WP_REST_Request $request)
{
    global $wpdb;
    $panel = esc_sql(sanitize_text_field($request['panel']));
    $rows = $wpdb->get_col("SELECT judge FROM {$wpdb->prefix}orchid_judges WHERE panel_id = $panel");
    return rest_ensure_response($rows);
}

function orchid_class(WP_REST_Request $request)
{
    global $wpdb;
    $class = absint($request['class']);
    $count = $wpdb->get_var("SELECT COUNT(*) FROM {$wpdb->prefix}orchids WHERE class_id = $class");
    return rest_ensure_response(['class' => $class, 'entries' => (int) $count]);
}

function orchid_photo(WP_REST_Request $request)
{
    $uploads = wp_upload_dir();
    $size = $request['size'] ?: 'thumb';
    $name = sanitize_file_name($request['name']);
    $file = $uploads['basedir'] . '/orchids/' . $size . '/' . $name;
    $data = @file_get_contents($file);
    if ($data === false) {
        return new WP_Error('missing', 'No such photo', ['status' => 404]);
    }
    return rest_ensure_response(['data' => base64_encode($data)]);
}

function orchid_ranking(WP_REST_Request $request)
{
    global $wpdb;
    $order = $request->get_param('orderby') ?? 'points';
    if (!in_array($order, ['points', 'name', 'entered'], true)) {
        $order = 'points';
    }
    $limit = min(50, (int) $request->get_param('limit'));
    return rest_ensure_response($wpdb->get_results(
        "SELECT name, points FROM {$wpdb->prefix}orchids ORDER BY $order DESC LIMIT $limit"
    ));
}
