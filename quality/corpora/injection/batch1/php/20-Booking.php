<?php

declare(strict_types=1);

namespace Hotel;

use PDO;

final class Booking
{
    public function __construct(private PDO $pdo)
    {
    }

    public function create(array $form): int
    {
        $st = $this->pdo->prepare(
            'INSERT INTO booking(guest, room, arrives, nights) VALUES (:guest, :room, :arrives, :nights)'
        );
        $st->execute([
            'guest' => $form['guest'],
            'room' => $form['room'],
            'arrives' => $form['arrives'],
            'nights' => $form['nights'] ?? 1,
        ]);
        return (int) $this->pdo->lastInsertId();
    }

    public function ofGuest(string $guest): array
    {
        $st = $this->pdo->prepare('SELECT * FROM booking WHERE guest LIKE ? ORDER BY arrives');
        $st->execute(["%$guest%"]);
        return $st->fetchAll(PDO::FETCH_ASSOC);
    }
}

$booking = new Booking(new PDO('sqlite:/var/lib/hotel/hotel.db'));
if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    echo $booking->create($_POST);
} else {
    echo json_encode($booking->ofGuest($_GET['guest'] ?? ''));
}
