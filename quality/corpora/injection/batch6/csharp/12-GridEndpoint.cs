using System;
using System.Collections.Generic;
using System.Data;
using System.Linq;
using System.Threading.Tasks;
using Dapper;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Data.SqlClient;
using Microsoft.Extensions.DependencyInjection;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddScoped<IDbConnection>(_ => new SqlConnection(builder.Configuration["Db"]));
builder.Services.AddScoped<Grid<Shipment>>();
var app = builder.Build();

app.MapGet("/shipments", (string sort, int page, Grid<Shipment> grid) => grid.PageAsync(sort, page));
app.MapPost("/shipments/filter", (List<GridFilter> filters, Grid<Shipment> grid) => grid.FilterAsync(filters));
app.MapGet("/shipments/latest", (HttpRequest request, Grid<Shipment> grid) => grid.LatestAsync(request.Query["top"]));
app.MapPost("/shipments/match", (Dictionary<string, string> values, Grid<Shipment> grid) => grid.MatchAsync(values));
app.Run();

public record GridFilter(string Member, string Value);

public record Shipment(int Id, string Carrier, string Destination, DateTime Sent);

public class Grid<T>
{
    private static readonly string[] Members = typeof(T).GetProperties().Select(p => p.Name).ToArray();
    private static readonly string Table = typeof(T).Name + "s";

    private readonly IDbConnection _db;

    public Grid(IDbConnection db)
    {
        _db = db;
    }

    public Task<IEnumerable<T>> PageAsync(string sort, int page)
    {
        var column = Members.FirstOrDefault(m => string.Equals(m, sort, StringComparison.OrdinalIgnoreCase)) ?? Members[0];
        var sql = $"SELECT * FROM {Table} ORDER BY {column} OFFSET {page * 50} ROWS FETCH NEXT 50 ROWS ONLY";
        return _db.QueryAsync<T>(sql);
    }

    public Task<IEnumerable<T>> FilterAsync(List<GridFilter> filters)
    {
        var clauses = filters
            .Where(f => !string.IsNullOrWhiteSpace(f.Value))
            .Select(f => $"{f.Member} = '{f.Value}'");
        var sql = $"SELECT * FROM {Table} WHERE {string.Join(" AND ", clauses.DefaultIfEmpty("1 = 1"))}";
        return _db.QueryAsync<T>(sql);
    }

    public Task<IEnumerable<T>> LatestAsync(string top)
    {
        if (int.TryParse(top, out var count) && count > 1000)
        {
            top = "1000";
        }
        return _db.QueryAsync<T>($"SELECT TOP {top} * FROM {Table} ORDER BY Id DESC");
    }

    public Task<IEnumerable<T>> MatchAsync(Dictionary<string, string> values)
    {
        var parameters = new DynamicParameters();
        var clauses = new List<string> { "1 = 1" };
        foreach (var member in Members)
        {
            if (values.TryGetValue(member, out var value))
            {
                parameters.Add(member, value);
                clauses.Add(member + " = @" + member);
            }
        }
        return _db.QueryAsync<T>("SELECT * FROM " + Table + " WHERE " + string.Join(" AND ", clauses), parameters);
    }
}
