<?php

namespace School;

class Lesson
{
    private \mysqli $db;

    public function __construct(\mysqli $db)
    {
        $this->db = $db;
    }

    public function find(string $room, int $day): array
    {
        return $this->db->execute_query("SELECT * FROM lesson WHERE room = '$room' AND day = ?", [$day])->fetch_all();
    }

    public function move(int $id, string $room): void
    {
        $this->db->execute_query('UPDATE lesson SET room = ? WHERE id = ?', [$room, $id]);
    }
}

$lesson = new Lesson(new \mysqli('db', 'school', getenv('PW'), 'school'));
if (isset($_POST['id'])) {
    $lesson->move((int) $_POST['id'], $_POST['room']);
}
echo json_encode($lesson->find($_REQUEST['room'], (int) $_REQUEST['day']));
