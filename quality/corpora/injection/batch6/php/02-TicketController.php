<?php

namespace App\Http\Controllers;

use App\Models\Ticket;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
use Illuminate\Validation\Rule;
use Symfony\Component\HttpFoundation\BinaryFileResponse;

class TicketController extends Controller
{
    private const COLUMNS = ['subject', 'created_at', 'priority'];

    public function index(Request $request): JsonResponse
    {
        $data = $request->validate([
            'sort' => ['required', Rule::in(self::COLUMNS)],
            'team' => ['nullable', 'string', 'max:60'],
        ]);

        $tickets = Ticket::query()
            ->when($data['team'] ?? null, fn ($q, $team) => $q->where('team', $team))
            ->orderByRaw($data['sort'] . ' IS NULL, ' . $data['sort'])
            ->paginate(20);

        return response()->json($tickets);
    }

    public function board(Request $request): JsonResponse
    {
        $request->validate(['weight' => 'required|string']);

        $tickets = Ticket::query()
            ->where('status', 'open')
            ->orderByRaw('FIELD(priority, ' . $request->input('weight') . ')')
            ->get();

        return response()->json($tickets);
    }

    public function stats(Request $request): JsonResponse
    {
        $from = $request->query('from', '2024-01-01');
        $rows = DB::select(
            'SELECT team, count(*) AS n FROM tickets WHERE created_at >= ? GROUP BY team',
            [$from]
        );

        $agent = $request->query('agent');
        $mine = $agent === null
            ? []
            : DB::select("SELECT id FROM tickets WHERE agent = '" . $agent . "' AND created_at >= ?", [$from]);

        return response()->json(compact('rows', 'mine'));
    }

    public function attachment(Request $request, int $ticket): BinaryFileResponse
    {
        $file = storage_path("app/tickets/$ticket/" . $request->query('file'));
        abort_unless(file_exists($file), 404);

        return response()->download($file);
    }

    public function transcript(int $ticket): BinaryFileResponse
    {
        $file = storage_path("app/transcripts/$ticket.txt");
        abort_unless(file_exists($file), 404);

        return response()->download($file);
    }
}
