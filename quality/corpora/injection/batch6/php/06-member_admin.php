<?php

abstract class Page
{
    protected mysqli $db;
    protected array $input;

    public function __construct(mysqli $db, array $input)
    {
        $this->db = $db;
        $this->input = $input;
        $this->db->set_charset('utf8mb4');
    }

    abstract public function render(): array;

    protected function esc(string $key): string
    {
        return $this->db->real_escape_string((string) ($this->input[$key] ?? ''));
    }

    protected function rows(mysqli_result $result): array
    {
        return $result->fetch_all(MYSQLI_ASSOC);
    }
}

class MemberPage extends Page
{
    public function render(): array
    {
        $name = $this->esc('name');
        $members = $this->rows($this->db->query("SELECT id, name FROM members WHERE name = '$name'"));

        $group = $this->esc('group');
        $peers = $this->rows($this->db->query("SELECT id, name FROM members WHERE group_id = $group"));

        return compact('members', 'peers');
    }
}

class FeePage extends Page
{
    private const ORDERS = ['due' => 'due_on', 'amount' => 'amount DESC'];

    private string $year;

    public function __construct(mysqli $db, array $input)
    {
        parent::__construct($db, $input);
        $this->year = $input['year'] ?? date('Y');
    }

    public function render(): array
    {
        $order = self::ORDERS[$this->input['order'] ?? 'due'] ?? 'id';
        $open = $this->rows($this->db->query("SELECT * FROM fees WHERE paid = 0 ORDER BY $order"));

        $yearly = $this->db->query('SELECT sum(amount) AS total FROM fees_' . $this->year);

        $stmt = $this->db->prepare('SELECT amount FROM fees WHERE member = ? AND kind = ?');
        $stmt->bind_param('is', $this->input['member'], $this->input['kind']);
        $stmt->execute();

        return ['open' => $open, 'year' => $yearly->fetch_assoc(), 'mine' => $this->rows($stmt->get_result())];
    }
}

class RenamePage extends Page
{
    public function render(): array
    {
        $column = $this->input['field'] === 'nick' ? 'nick' : 'name';
        $value = htmlspecialchars($this->input['value'], ENT_NOQUOTES);
        $this->db->query("UPDATE members SET $column = '$value' WHERE id = " . (int) $this->input['id']);
        return ['changed' => $this->db->affected_rows];
    }
}

$pages = ['member' => MemberPage::class, 'fee' => FeePage::class, 'rename' => RenamePage::class];
$class = $pages[$_GET['page'] ?? 'member'] ?? MemberPage::class;
$page = new $class(new mysqli('localhost', 'club', getenv('CLUB_PASS'), 'club'), $_REQUEST);
echo json_encode($page->render());
