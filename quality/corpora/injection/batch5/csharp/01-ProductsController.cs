using System.Data;
using System.Globalization;
using Dapper;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Api.Controllers;

[ApiController]
[Route("api/products")]
public class ProductsController : ControllerBase
{
    private static readonly Dictionary<string, string> SortColumns = new(StringComparer.OrdinalIgnoreCase)
    {
        ["name"] = "p.name",
        ["price"] = "p.price",
        ["newest"] = "p.created_at DESC",
    };

    private readonly IDbConnection _db;

    public ProductsController(IDbConnection db) => _db = db;

    [HttpGet]
    public async Task<IActionResult> List(string sort = "name", bool desc = false, int page = 1)
    {
        var column = SortColumns.TryGetValue(sort, out var c) ? c : "p.name";
        var sql = $"SELECT p.id, p.name, p.price FROM products p ORDER BY {column} {(desc ? ", p.id DESC" : "")} LIMIT 20 OFFSET {(page - 1) * 20}";
        return Ok(await _db.QueryAsync(sql));
    }

    [HttpGet("filter")]
    public async Task<IActionResult> Filter([FromQuery] string[] f)
    {
        var parameters = new DynamicParameters();
        var where = new List<string> { "p.active = true" };
        foreach (var expression in f)
        {
            var (field, op, value) = Split(expression);
            var name = "v" + where.Count;
            parameters.Add(name, value);
            where.Add($"p.{field} {op} @{name}");
        }
        var sql = "SELECT p.id, p.name FROM products p WHERE " + string.Join(" AND ", where);
        return Ok(await _db.QueryAsync(sql, parameters));
    }

    [HttpPost("brands")]
    public async Task<IActionResult> ByBrand([FromBody] List<string> brands)
    {
        const string sql = "SELECT p.id, p.name FROM products p WHERE p.brand IN @brands";
        return Ok(await _db.QueryAsync(sql, new { brands }));
    }

    [HttpGet("export")]
    public async Task<IActionResult> Export([FromHeader(Name = "X-Currency")] string currency)
    {
        if (currency.Length > 64)
            return BadRequest();
        var rows = await _db.QueryAsync<string>(
            "SELECT p.name || ';' || " + PriceIn(currency) + " FROM products p");
        return Content(string.Join('\n', rows), "text/csv");
    }

    private static string PriceIn(string currency) =>
        $"round(p.price * (SELECT rate FROM rates WHERE code = '{currency.ToUpperInvariant()}'), 2)";

    private static (string Field, string Op, decimal Value) Split(string expression)
    {
        var parts = expression.Split(':');
        var op = parts[1] switch { "gt" => ">", "lt" => "<", _ => "=" };
        return (parts[0], op, decimal.Parse(parts[2], CultureInfo.InvariantCulture));
    }
}
