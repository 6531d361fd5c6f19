<?php

namespace App\Http\Controllers;

use App\Models\Invoice;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
use Illuminate\Validation\Rule;

trait ReadsFilters
{
    protected array $clauses = ['deleted_at IS NULL'];
    protected array $bindings = [];

    protected function collect(array $filters): string
    {
        foreach ($filters as $field => $value) {
            $this->clauses[] = "$field = ?";
            $this->bindings[] = $value;
        }
        return implode(' AND ', $this->clauses);
    }
}

class InvoiceController extends Controller
{
    use ReadsFilters;

    public function index(Request $request): JsonResponse
    {
        $data = $request->validate([
            'sort' => ['nullable', Rule::in(['due_date', 'total', 'number'])],
            'dir' => ['nullable', 'in:asc,desc'],
            'customer' => ['nullable', 'string', 'max:80'],
        ]);

        $query = Invoice::query();
        $query->when($data['customer'] ?? null, function ($q, $name) {
            $q->whereRaw("customer_name LIKE '%{$name}%'");
        });
        $query->orderByRaw(($data['sort'] ?? 'due_date') . ' ' . ($data['dir'] ?? 'asc'));

        return response()->json($query->paginate(25));
    }

    public function filter(Request $request): JsonResponse
    {
        $where = $this->collect($request->json()->all());
        $rows = DB::select("SELECT id, number, total FROM invoices WHERE $where", $this->bindings);

        return response()->json($rows);
    }

    public function totals(Request $request): JsonResponse
    {
        $bucket = match ($request->query('by')) {
            'year' => '%Y',
            'week' => '%x-%v',
            default => '%Y-%m',
        };
        $days = $request->integer('days', 365);

        return response()->json(DB::select(
            "SELECT DATE_FORMAT(issued_at, '$bucket') AS bucket, SUM(total) AS total FROM invoices "
            . "WHERE issued_at > NOW() - INTERVAL $days DAY GROUP BY bucket"
        ));
    }
}
