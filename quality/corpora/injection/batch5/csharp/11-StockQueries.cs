using System.Globalization;
using HotChocolate.Types;
using Microsoft.Data.SqlClient;
using Microsoft.EntityFrameworkCore;

namespace Warehouse.GraphQL;

public record FilterInput(string Name, string Value);

public class StockItem
{
    public int Id { get; set; }
    public string Sku { get; set; } = "";
    public decimal Price { get; set; }
}

public class WarehouseContext(DbContextOptions<WarehouseContext> options) : DbContext(options)
{
    public DbSet<StockItem> Stock => Set<StockItem>();
}

[QueryType]
public class StockQueries
{
    private static readonly Dictionary<string, Func<string, string>> TextFilters = new()
    {
        ["sku"] = v => $"Sku = '{v}'",
        ["label"] = v => $"Label LIKE N'%{v}%'",
    };

    private static readonly Dictionary<string, Func<string, string>> NumberFilters = new()
    {
        ["below"] = v => "Price < " + decimal.Parse(v, CultureInfo.InvariantCulture).ToString(CultureInfo.InvariantCulture),
        ["shelf"] = v => "Shelf = " + short.Parse(v),
    };

    public Task<List<StockItem>> GetStock(WarehouseContext db, List<FilterInput> filters)
    {
        var where = filters
            .Where(f => TextFilters.ContainsKey(f.Name))
            .Select(f => TextFilters[f.Name](f.Value))
            .Aggregate("1 = 1", (sql, part) => sql + " AND " + part);
        return db.Stock.FromSqlRaw("SELECT * FROM Stock WHERE " + where).ToListAsync();
    }

    public Task<List<StockItem>> GetPriced(WarehouseContext db, List<FilterInput> filters)
    {
        var parts = from f in filters
                    where NumberFilters.ContainsKey(f.Name)
                    select NumberFilters[f.Name](f.Value);
        var sql = "SELECT * FROM Stock WHERE " + string.Join(" AND ", parts.DefaultIfEmpty("1 = 1"));
        return db.Stock.FromSqlRaw(sql).ToListAsync();
    }

    public async Task<int> GetCount(WarehouseContext db, string site) =>
        await db.Database.SqlQuery<int>($"SELECT COUNT(*) AS Value FROM Stock WHERE Site = {site}").SingleAsync();

    public async Task<List<string>> GetLabels([Service] SqlConnection connection, string? language = "en")
    {
        await connection.OpenAsync();
        string Column(string prefix) => $"[{prefix}_{language}]";
        var statement = $"SELECT {Column("label")} FROM StockTexts";
        var labels = new List<string>();
        await using var command = new SqlCommand(statement, connection);
        await using var reader = await command.ExecuteReaderAsync();
        while (await reader.ReadAsync())
            labels.Add(reader.GetString(0));
        return labels;
    }
}
