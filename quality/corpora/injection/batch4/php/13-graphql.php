<?php

use GraphQL\GraphQL;
use GraphQL\Type\Definition\EnumType;
use GraphQL\Type\Definition\ObjectType;
use GraphQL\Type\Definition\Type;
use GraphQL\Type\Schema;

$pdo = new PDO(getenv('DATABASE_DSN'), getenv('DATABASE_USER'), getenv('DATABASE_PASSWORD'));

$event = new ObjectType([
    'name' => 'Event',
    'fields' => ['id' => Type::id(), 'title' => Type::string(), 'starts_at' => Type::string()],
]);

$direction = new EnumType([
    'name' => 'Direction',
    'values' => ['SOONEST' => ['value' => 'ASC'], 'LATEST' => ['value' => 'DESC']],
]);

$fetch = function (string $sql, array $bind = []) use ($pdo): array {
    $statement = $pdo->prepare($sql);
    $statement->execute($bind);
    return $statement->fetchAll(PDO::FETCH_ASSOC);
};

$query = new ObjectType([
    'name' => 'Query',
    'fields' => [
        'events' => [
            'type' => Type::listOf($event),
            'args' => ['venue' => Type::nonNull(Type::string()), 'orderBy' => Type::string()],
            'resolve' => fn ($root, array $args) => $fetch(
                'SELECT * FROM event WHERE venue = ? ORDER BY ' . strtolower(trim($args['orderBy'] ?? 'id')),
                [$args['venue']]
            ),
        ],
        'upcoming' => [
            'type' => Type::listOf($event),
            'args' => [
                'direction' => ['type' => $direction, 'defaultValue' => 'ASC'],
                'first' => ['type' => Type::int(), 'defaultValue' => 10],
            ],
            'resolve' => fn ($root, array $args) => $pdo->query(
                "SELECT * FROM event ORDER BY starts_at {$args['direction']} LIMIT {$args['first']}"
            )->fetchAll(PDO::FETCH_ASSOC),
        ],
        'titled' => [
            'type' => Type::listOf($event),
            'args' => ['title' => Type::nonNull(Type::string())],
            'resolve' => function ($root, array $args) use ($pdo) {
                $title = $pdo->quote($args['title']);
                return $pdo->query("SELECT * FROM event WHERE title = $title")->fetchAll(PDO::FETCH_ASSOC);
            },
        ],
        'event' => [
            'type' => $event,
            'args' => ['id' => Type::nonNull(Type::id())],
            'resolve' => function ($root, array $args) use ($pdo) {
                $id = trim($pdo->quote($args['id']), "'");
                return $pdo->query("SELECT * FROM event WHERE id = $id")->fetch(PDO::FETCH_ASSOC);
            },
        ],
    ],
]);

$input = json_decode(file_get_contents('php://input'), true);
$result = GraphQL::executeQuery(new Schema(['query' => $query]), $input['query'], null, null, $input['variables'] ?? null);
header('Content-Type: application/json');
echo json_encode($result->toArray());
