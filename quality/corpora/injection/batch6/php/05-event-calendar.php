<?php
/**
 * Plugin Name: Event Calendar REST
 * Description: Read and write the events of the venue.
 * Version: 1.4.2
 */

if (!defined('ABSPATH')) {
    exit;
}

class Event_Calendar_Rest
{
    private $table;

    public function __construct()
    {
        global $wpdb;
        $this->table = $wpdb->prefix . 'venue_events';
        add_action('rest_api_init', [$this, 'routes']);
    }

    public function routes()
    {
        register_rest_route('venue/v1', '/events', [
            'methods' => 'GET',
            'callback' => [$this, 'list_events'],
            'permission_callback' => '__return_true',
        ]);
        register_rest_route('venue/v1', '/events/(?P<id>\d+)', [
            'methods' => 'GET',
            'callback' => [$this, 'one_event'],
            'permission_callback' => '__return_true',
        ]);
        register_rest_route('venue/v1', '/search', [
            'methods' => 'GET',
            'callback' => [$this, 'search'],
            'permission_callback' => '__return_true',
        ]);
    }

    public function list_events(WP_REST_Request $request)
    {
        global $wpdb;
        $limit = absint($request->get_param('limit')) ?: 20;
        $orderby = sanitize_text_field($request->get_param('orderby') ?: 'starts_at');
        $rows = $wpdb->get_results(
            $wpdb->prepare("SELECT * FROM {$this->table} WHERE public = %d ORDER BY $orderby LIMIT %d", 1, $limit)
        );
        return rest_ensure_response($rows);
    }

    public function one_event(WP_REST_Request $request)
    {
        global $wpdb;
        $id = absint($request['id']);
        $event = $wpdb->get_row("SELECT * FROM {$this->table} WHERE id = $id");
        if (!$event) {
            return new WP_Error('not_found', 'No such event', ['status' => 404]);
        }
        $event->related = $wpdb->get_results(
            $wpdb->prepare("SELECT id, title FROM {$this->table} WHERE artist = %s AND id <> %d", $event->artist, $id)
        );
        return rest_ensure_response($event);
    }

    public function search(WP_REST_Request $request)
    {
        global $wpdb;
        $word = strip_tags($request->get_param('word'));
        $sql = sprintf("SELECT id, title FROM %s WHERE title LIKE '%%%s%%'", $this->table, $word);
        $found = $wpdb->get_results($sql);

        $place = $request->get_param('place');
        if (in_array($place, ['hall', 'garden', 'cellar'], true)) {
            $here = $wpdb->get_col("SELECT id FROM {$this->table} WHERE place = '$place'");
            $found = array_filter($found, fn ($e) => in_array($e->id, $here));
        }
        return rest_ensure_response(array_values($found));
    }
}

new Event_Calendar_Rest();
