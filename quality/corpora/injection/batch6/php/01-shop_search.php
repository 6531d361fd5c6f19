<?php
declare(strict_types=1);

require __DIR__ . '/bootstrap.php';

$pdo = new PDO(getenv('SHOP_DSN'), getenv('SHOP_USER'), getenv('SHOP_PASS'), [
    PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
    PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC,
]);

function respond($data, int $status = 200): void
{
    http_response_code($status);
    header('Content-Type: application/json');
    echo json_encode($data);
    exit;
}

function searchProducts(PDO $pdo, string $term, int $page): array
{
    $offset = max(0, $page - 1) * 25;
    $stmt = $pdo->prepare("SELECT id, name, price FROM products WHERE name LIKE :term LIMIT 25 OFFSET $offset");
    $stmt->execute(['term' => '%' . $term . '%']);
    return $stmt->fetchAll();
}

function listCategory(PDO $pdo, int $category, string $sort, string $dir): array
{
    $direction = match (strtolower($dir)) {
        'desc' => 'DESC',
        default => 'ASC',
    };
    $sort = str_replace(['\'', '"'], '', $sort);
    $stmt = $pdo->prepare("SELECT id, name FROM products WHERE category_id = ? ORDER BY $sort $direction");
    $stmt->execute([$category]);
    return $stmt->fetchAll();
}

function findCustomer(PDO $pdo, string $mail): ?array
{
    if (!filter_var($mail, FILTER_VALIDATE_EMAIL)) {
        return null;
    }
    $row = $pdo->query("SELECT id, name FROM customers WHERE mail = '$mail'")->fetch();
    return $row ?: null;
}

switch ($_GET['action'] ?? '') {
    case 'search':
        respond(searchProducts($pdo, $_GET['q'] ?? '', (int) ($_GET['page'] ?? 1)));
    case 'category':
        respond(listCategory($pdo, (int) $_GET['id'], $_GET['sort'] ?? 'name', $_GET['dir'] ?? 'asc'));
    case 'customer':
        respond(findCustomer($pdo, $_GET['mail'] ?? ''));
    case 'stock':
        $ids = array_map('intval', explode(',', $_GET['ids'] ?? ''));
        $rows = $pdo->query('SELECT id, stock FROM products WHERE id IN (' . implode(',', $ids) . ')')->fetchAll();
        respond($rows);
    case 'note':
        $folder = $_POST['folder'] ?? 'general';
        $target = '/srv/shop/notes/' . $folder . '/' . date('YmdHis') . '.txt';
        file_put_contents($target, $_POST['text'] ?? '');
        respond(['ok' => true], 201);
    default:
        respond(['error' => 'unknown action'], 404);
}
