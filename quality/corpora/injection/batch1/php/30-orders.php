<?php

class Orders
{
    private mysqli $db;

    public function __construct()
    {
        $this->db = new mysqli('db', 'orders', getenv('PW'), 'orders');
    }

    public function one(string $id): ?array
    {
        $id = $this->db->real_escape_string($id);
        return $this->db->query("SELECT * FROM orders WHERE id = $id")->fetch_assoc();
    }

    public function byRef(string $ref): ?array
    {
        $ref = $this->db->real_escape_string($ref);
        return $this->db->query("SELECT * FROM orders WHERE ref = '$ref'")->fetch_assoc();
    }

    public function sorted(string $col): array
    {
        $col = $this->db->escape_string($col);
        return $this->db->query("SELECT * FROM orders ORDER BY $col")->fetch_all();
    }
}

$o = new Orders();
header('Content-Type: application/json');
echo json_encode([
    $o->one($_GET['id'] ?? '0'),
    $o->byRef($_GET['ref'] ?? ''),
    $o->sorted($_GET['sort'] ?? 'id'),
]);
