<?php

use GraphQL\GraphQL;
use GraphQL\Type\Definition\EnumType;
use GraphQL\Type\Definition\InputObjectType;
use GraphQL\Type\Definition\ObjectType;
use GraphQL\Type\Definition\Type;
use GraphQL\Type\Schema;

require __DIR__ . '/vendor/autoload.php';

$pdo = new PDO(getenv('DATABASE_DSN'), getenv('DATABASE_USER'), getenv('DATABASE_PASSWORD'));

$book = new ObjectType([
    'name' => 'Book',
    'fields' => ['id' => Type::int(), 'title' => Type::string(), 'year' => Type::int()],
]);

$order = new EnumType([
    'name' => 'BookOrder',
    'values' => ['TITLE' => ['value' => 'title'], 'NEWEST' => ['value' => 'year DESC']],
]);

$range = new InputObjectType([
    'name' => 'Range',
    'fields' => ['from' => Type::nonNull(Type::string()), 'to' => Type::nonNull(Type::string())],
]);

$rows = static fn (?PDOStatement $stmt): array => $stmt ? $stmt->fetchAll(PDO::FETCH_ASSOC) : [];

$query = new ObjectType([
    'name' => 'Query',
    'fields' => [
        'books' => [
            'type' => Type::listOf($book),
            'args' => ['order' => ['type' => $order, 'defaultValue' => 'title'], 'limit' => ['type' => Type::int(), 'defaultValue' => 20]],
            'resolve' => fn ($root, array $args) => $rows($pdo->query("SELECT * FROM books ORDER BY {$args['order']} LIMIT {$args['limit']}")),
        ],
        'byShelf' => [
            'type' => Type::listOf($book),
            'args' => ['shelf' => Type::nonNull(Type::string())],
            'resolve' => fn ($root, array $args) => $rows($pdo->query("SELECT * FROM books WHERE shelf = '{$args['shelf']}'")),
        ],
        'borrowed' => [
            'type' => Type::listOf($book),
            'args' => ['during' => Type::nonNull($range)],
            'resolve' => function ($root, array $args) use ($pdo, $rows) {
                ['from' => $from, 'to' => $to] = $args['during'];
                $between = vsprintf("l.lent_on BETWEEN '%s' AND '%s'", [$from, $to]);
                return $rows($pdo->query('SELECT b.* FROM books b JOIN loans l ON l.book_id = b.id WHERE ' . $between));
            },
        ],
        'titled' => [
            'type' => Type::listOf($book),
            'args' => ['title' => Type::nonNull(Type::string())],
            'resolve' => function ($root, array $args) use ($pdo, $rows) {
                $title = $pdo->quote('%' . $args['title'] . '%');
                return $rows($pdo->query("SELECT * FROM books WHERE title LIKE $title LIMIT 40"));
            },
        ],
        'excerpt' => [
            'type' => Type::string(),
            'args' => ['book' => Type::nonNull(Type::int()), 'chapter' => Type::nonNull(Type::string())],
            'resolve' => fn ($root, array $args) => file_get_contents("/srv/excerpts/{$args['book']}/" . trim($args['chapter'], '/')),
        ],
    ],
]);

$variables = json_decode($_POST['variables'] ?? '[]', true);
$result = GraphQL::executeQuery(new Schema(['query' => $query]), $_POST['query'] ?? '', null, null, $variables);
header('Content-Type: application/json');
echo json_encode($result->toArray());
