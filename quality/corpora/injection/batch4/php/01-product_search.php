<?php
declare(strict_types=1);

function connect(): mysqli
{
    mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
    $db = new mysqli(getenv('DB_HOST'), getenv('DB_USER'), getenv('DB_PASS'), 'shop');
    $db->set_charset('utf8mb4');
    return $db;
}

function sortColumn(string $sort): string
{
    $columns = ['name', 'price', 'stock'];
    return in_array($sort, $columns, true) ? $sort : 'name';
}

function findProducts(mysqli $db, array $input): array
{
    $term = $db->real_escape_string($input['q'] ?? '');
    $sql = "SELECT id, name, price FROM products WHERE name LIKE '%$term%'";
    if (!empty($input['category'])) {
        $category = $db->real_escape_string($input['category']);
        $sql .= " AND category_id = $category";
    }
    $sql .= ' ORDER BY ' . sortColumn($input['sort'] ?? 'name') . ' LIMIT 50';
    return $db->query($sql)->fetch_all(MYSQLI_ASSOC);
}

function countProducts(mysqli $db, array $input): int
{
    $sql = sprintf(
        "SELECT COUNT(*) FROM products WHERE name LIKE '%%%s%%' AND price <= %d",
        $db->real_escape_string($input['q'] ?? ''),
        $input['max'] ?? 100000
    );
    return (int) $db->query($sql)->fetch_row()[0];
}

function lastViewed(mysqli $db): ?array
{
    [$kind, $id] = explode(':', $_COOKIE['last_viewed'] ?? 'product:0') + ['product', '0'];
    $table = ['product' => 'products', 'bundle' => 'bundles'][$kind] ?? 'products';
    return $db->query("SELECT id, name FROM $table WHERE id = " . intval($id))->fetch_assoc();
}

function logSearch(mysqli $db, string $term): void
{
    $client = $_SERVER['HTTP_X_FORWARDED_FOR'] ?? $_SERVER['REMOTE_ADDR'];
    $values = "'" . implode("', '", [$client, $db->real_escape_string($term)]) . "'";
    $db->query("INSERT INTO search_log (client, term) VALUES ($values)");
}

$db = connect();
logSearch($db, $_GET['q'] ?? '');
header('Content-Type: application/json');
echo json_encode([
    'total' => countProducts($db, $_GET),
    'items' => findProducts($db, $_GET),
    'last' => lastViewed($db),
]);
